"""The yardstick of self-play: on-policy MCTS for Hex as one would first write it, in Python and PyTorch alone.

Nodes are objects, boards are lists, the network is asked for one state at a time. Nothing of Ludus is used.
"""

from __future__ import annotations

import math
import random

import torch
from torch import nn


class Hex:
    """Player 1 joins rows 0 and k-1, player 2 columns 0 and k-1."""

    def __init__(self, size, board=None, player=1):
        self.size, self.board, self.player = size, board or [0] * size * size, player

    def actions(self):
        return [i for i, stone in enumerate(self.board) if stone == 0]

    def play(self, action):
        board = self.board.copy()
        board[action] = self.player
        return Hex(self.size, board, 3 - self.player)

    def won(self, player):
        n = self.size
        seen = {i for i in (range(n) if player == 1 else range(0, n * n, n)) if self.board[i] == player}
        stack = list(seen)
        while stack:
            row, column = divmod(stack.pop(), n)
            if (row if player == 1 else column) == n - 1:
                return True
            for r, c in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
                r, c = row + r, column + c
                if 0 <= r < n and 0 <= c < n and self.board[r * n + c] == player and r * n + c not in seen:
                    seen.add(r * n + c)
                    stack.append(r * n + c)
        return False


class Node:
    def __init__(self, state, parent=None):
        self.state, self.parent, self.children, self.visits, self.wins = state, parent, {}, 0, 0.0
        self.over = state.won(3 - state.player)


def policy(network, state):
    with torch.no_grad():
        seen = torch.tensor(
            [float(s == state.player) for s in state.board] + [float(s == 3 - state.player) for s in state.board]
        )
        shares = torch.softmax(network(seen), 0)
    legal = state.actions()
    return legal, [float(shares[a]) for a in legal]


def search(root, network, games, c=1.0, epsilon=0.1):
    for _ in range(games):
        node = root
        while node.children and not node.over:  # select
            scale = math.log(node.visits + 1)
            node = max(
                node.children.values(), key=lambda n: n.wins / (n.visits + 1e-9) + c * math.sqrt(scale / (n.visits + 1))
            )
        if not node.over:  # expand
            node.children = {a: Node(node.state.play(a), node) for a in node.state.actions()}
        state, over = node.state, node.over
        while not over:  # the actor's rollout
            legal, shares = policy(network, state)
            action = random.choice(legal) if random.random() < epsilon else random.choices(legal, shares)[0]
            state = state.play(action)
            over = state.won(3 - state.player)
        winner = 3 - state.player
        while node:  # backup
            node.visits += 1
            node.wins += winner == 3 - node.state.player
            node = node.parent


def play_game(size, network, games):
    """One actual game. Returns its cases (state, player, D)."""
    root, cases = Node(Hex(size)), []
    while not root.over:
        search(root, network, games)
        total = sum(child.visits for child in root.children.values())
        cases.append((root.state.board, root.state.player, {a: n.visits / total for a, n in root.children.items()}))
        actions, visits = zip(*((a, n.visits) for a, n in root.children.items()), strict=True)
        root = root.children[random.choices(actions, visits)[0]]
        root.parent = None
    return cases


def make_network(size, width=128):
    """A multilayer perceptron of two hidden layers."""
    return nn.Sequential(
        nn.Linear(2 * size * size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, size * size)
    )
