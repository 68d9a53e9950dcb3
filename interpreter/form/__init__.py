"""The small form between rules and machine code, and the way from it to machine code.

Functions of numbered locals, fields in one block of memory, jumps. It knows nothing of rules, so it can be printed,
and the compiler behind it can be exchanged. Only `machine_code` imports the compiler.

Kernels work on more than one position: `memory` gives them arrays by their address. An address that is known to be one
(`as_pointer`) becomes a pointer in machine code, and loops over it are as fast as if they were written there by hand.
"""
