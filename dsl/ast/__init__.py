"""The tree of a rules file: frozen data, one class for each construct. No behaviour.

Nodes are compared by identity, so that findings can live in tables keyed by node; the `repr`
leaves the span out, so that comparing two `repr`s compares two trees. This is the door: all
classes are reached as `ast.Name`.
"""

from rulesrun.dsl.ast.examples import *
from rulesrun.dsl.ast.expressions import *
from rulesrun.dsl.ast.files import *
from rulesrun.dsl.ast.flow_pieces import *
from rulesrun.dsl.ast.statements import *
from rulesrun.dsl.ast.table_pieces import *
from rulesrun.dsl.ast.written_types import *
