"""Objects that users write: layers, simulations, counters, methods as functions, objects that are globals."""
from __future__ import annotations

import numpy as np
from corpus import M23, M32, M33, V2, V3, V4, W3, A, B, C, add, section

section("objects_models")


class Dense:
    """A layer."""

    def __init__(self, w, b, activation=np.tanh):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


class Sequential:
    """Layers, one after the other."""

    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def identity(x):
    return x


def dense_layer(w, b, x):
    return np.sum(Dense(w, b)(x) * np.array([1.0, -2.0]))


add(dense_layer, M32, V2, V3)


def two_layers(w1, b1, w2, x):
    hidden = Dense(w1, b1)
    out = Dense(w2, 0.1, activation=identity)
    return np.sum(out(hidden(x)) ** 2)


add(two_layers, M32, V2, M23, V3)


def sequential_model(w1, b1, w2, x):
    model = Sequential(Dense(w1, b1), Dense(w2, 0.5, np.sin))
    return np.sum(model(x) * W3)


add(sequential_model, M32, V2, M23, V3)


def sequential_shares_a_layer(w, b, x):
    layer = Dense(w, b)
    return np.sum(Sequential(layer, layer, np.exp)(x))


add(sequential_shares_a_layer, M33, V3, W3)

FROZEN = Sequential(Dense(M32, V2), Dense(M23 * 0.5, V3))


def frozen_global_model(x):
    return np.sum(FROZEN(x) * V3)


add(frozen_global_model, W3)


class Module:
    """Parameters by name; forward in the children."""

    def __init__(self):
        self.parameters = {}

    def register(self, **values):
        self.parameters.update(values)
        return self

    def forward(self, x):
        raise NotImplementedError

    def __call__(self, x):
        return self.forward(x)


class Gate(Module):
    """A child that reads its parameters from the dictionary of its base."""

    def forward(self, x):
        p = self.parameters
        return x * (1.0 / (1.0 + np.exp(-(p["a"] * x + p["c"]))))


def module_with_parameters(a, c, x):
    gate = Gate().register(a=a, c=c)
    return np.sum(gate(gate(x)) * W3)


add(module_with_parameters, A, B, V3)


class Recurrent:
    """A state that is replaced at every step."""

    def __init__(self, w, u):
        self.w, self.u = w, u
        self.h = np.zeros(w.shape[0])

    def step(self, x):
        self.h = np.tanh(self.w @ self.h + self.u * x)
        return self.h


def recurrent_cell(w, u, xs):
    cell = Recurrent(w, u)
    loss = 0.0
    for x in xs:
        loss = loss + np.sum(cell.step(x) ** 2) * x
    return loss + cell.h[0]


add(recurrent_cell, M33, V3, V4)


class SGD:
    """An optimiser with momentum."""

    def __init__(self, rate, momentum=0.5):
        self.rate, self.momentum, self.velocity = rate, momentum, 0.0

    def update(self, p, g):
        self.velocity = self.momentum * self.velocity - self.rate * g
        return p + self.velocity


def unrolled_optimiser(rate, start):
    optimiser = SGD(rate)
    p = start
    for _ in range(4):
        p = optimiser.update(p, 2.0 * (p - 1.0) + p ** 3)
    return p * p


add(unrolled_optimiser, 0.1, A)


class Kernel:
    """Hyperparameters on the object; a matrix of values."""

    def __init__(self, length, variance=1.0):
        self.length, self.variance = length, variance

    def __call__(self, a, b):
        return self.variance * np.exp(-0.5 * ((a[:, None] - b[None, :]) / self.length) ** 2)


def gaussian_process(length, variance, x, y):
    k = Kernel(length, variance)(x, x) + 0.1 * np.eye(len(x))
    return 0.5 * np.dot(y, np.linalg.solve(k, y)) + 0.5 * np.linalg.slogdet(k)[1]


add(gaussian_process, A, C, V4, np.array([1.0, -0.3, 0.5, 0.8]), wrt=(0, 1, 2), holomorphic=False)
