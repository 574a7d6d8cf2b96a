"""Plain networks on disk."""

import pytest
import torch

from ludus.learn.plain import ValueNetwork, fresh, load_model, save_model


def test_a_network_that_cannot_be_written_leaves_the_old_one_as_it_is(tmp_path, monkeypatch):
    path, first, second = tmp_path / "model.pt", fresh(ValueNetwork, 1, 10), fresh(ValueNetwork, 2, 10)
    save_model(path, first)
    real = torch.save

    def fail(weights, file):
        real(weights, file)
        raise OSError("no space left")

    monkeypatch.setattr(torch, "save", fail)
    with pytest.raises(OSError, match="no space left"):
        save_model(path, second)
    kept = load_model(path, fresh(ValueNetwork, 3, 10)).state_dict()
    assert all(torch.equal(kept[name], weights) for name, weights in first.state_dict().items())
