"""Who does the work: the reference or machine code, this process or several, this machine or a cluster.

`engine_choice` decides which engine does a job, given what compiling costs and how much there is to do; the other
modules do one kind of work each and ask it. Results never depend on the answer.
"""
