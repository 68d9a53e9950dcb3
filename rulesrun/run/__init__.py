"""Who does the work: the reference or machine code, this process or several, this machine or a cluster.

Each `…_engines` module answers one question: which engine does this job at this table, given what compiling costs and
how much there is to do. Results never depend on the answer.
"""
