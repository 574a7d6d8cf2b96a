"""Small networks on busy cores: more threads would only wait for each other."""

import torch

torch.set_num_threads(1)
