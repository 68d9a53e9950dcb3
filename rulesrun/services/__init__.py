"""What the tool can do, one service a module: options in, findings out. The command line, the Python API, the
pages and the pytest plugin call the same services; none of them prints.
"""
