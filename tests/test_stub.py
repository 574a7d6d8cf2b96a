"""The stub that type checkers read says what the compiled core really has."""

import ast
from pathlib import Path

from ludus import _core

STUB = Path(__file__).parent.parent / "src" / "ludus" / "_core.pyi"
ONLY_IN_DEBUG = {"minimal_game", "MinimalGameState", "MinimalGameStateMcts", "MinimalGameStateForest"}


def declared(body):
    """The names that statements define, with what they define."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign):
            yield from ((target.id, node) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node


def test_the_stub_declares_what_the_core_has_and_nothing_else():
    names = {name for name, _ in declared(ast.parse(STUB.read_text()).body)}
    assert names == {name for name in dir(_core) if not name.startswith("_")} - ONLY_IN_DEBUG


def test_the_stub_declares_the_members_of_every_class():
    for name, node in declared(ast.parse(STUB.read_text()).body):
        if isinstance(node, ast.ClassDef):
            members = {member for member, _ in declared(node.body) if not member.startswith("_")}
            assert members == {m for m in vars(getattr(_core, name)) if not m.startswith("_")}, name


def test_searches_and_solvers_have_types():
    returns = {
        node.name: ast.unparse(node.returns)
        for node in ast.parse(STUB.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.returns is not None
    }
    assert returns["mcts"] == "ludus.search.compiled.CompiledMcts"
    assert returns["forest"] == "ludus.search.compiled.CompiledForest"
    assert returns["solver"] == "Solver"
    assert "Any" not in {node.id for node in ast.walk(ast.parse(STUB.read_text())) if isinstance(node, ast.Name)}
