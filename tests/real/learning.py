"""Neural networks, losses and optimisers in NumPy, as people write them to learn."""
from __future__ import annotations

import abc
import copy
import enum
import functools
import itertools
import operator
import typing
import warnings
from collections import OrderedDict, defaultdict, deque
from contextlib import contextmanager

import numpy as np
from corpus import M23, M32, M33, P3, V2, V3, V4, V5, W3, A, add, section

import tangent_nb as tnb

section("real_learning")

X43 = np.array([[0.2, -0.4, 0.9], [1.1, 0.3, -0.5], [-0.6, 0.8, 0.1], [0.4, 0.7, -1.2]])
Y4 = np.array([0, 2, 1, 1])
W31 = np.array([[0.4], [-0.3], [0.8]])


class Layer(abc.ABC):
    """What all layers have."""

    training = True
    count = 0

    def __init__(self, name=None):
        Layer.count += 1
        self.name = name or f"{type(self).__name__.lower()}_{Layer.count}"
        self.cache = {}

    @abc.abstractmethod
    def forward(self, x):
        """The output."""

    def __call__(self, x, *args, **kwargs):
        return self.forward(x, *args, **kwargs)


class Linear(Layer):
    """x W + b."""

    def __init__(self, weight, bias=None, **kwargs):
        super().__init__(**kwargs)
        self.params = {"W": weight, "b": np.zeros(weight.shape[1]) if bias is None else bias}

    def forward(self, x):
        if x.shape[-1] != self.params["W"].shape[0]:
            raise ValueError(f"{self.name}: {x.shape} does not fit {self.params['W'].shape}")
        self.cache["x"] = x
        return x @ self.params["W"] + self.params["b"]


class ReLU(Layer):
    """max(x, 0), with the mask kept."""

    def forward(self, x):
        self.mask = x > 0
        return x * self.mask


def two_layer_net(w1, b1, w2):
    net = [Linear(w1, b1), ReLU(), Linear(w2, name="head")]
    out = X43
    for layer in net:
        out = layer(out)
    return np.mean(out ** 2)


add(two_layer_net, M32, V2, M23, notes="objects stars unreached values")


def softmax(z, axis=-1):
    shifted = z - np.max(z, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)


def one_hot(labels, n_classes):
    labels = np.asarray(labels, dtype=int)
    out = np.zeros((labels.size, n_classes))
    out[np.arange(labels.size), labels] = 1
    return out


def cross_entropy(w, b, labels):
    probs = softmax(X43 @ w + b)
    eps = np.finfo(probs.dtype).eps
    picked = np.clip(probs, eps, 1 - eps)
    return -np.mean(np.sum(one_hot(labels, w.shape[1]) * np.log(picked), axis=1))


add(cross_entropy, M33, V3, Y4, notes="constants library", holomorphic=False)


def nll_by_index(w, b, labels):
    logits = X43 @ w + b
    logz = np.log(np.exp(logits).sum(axis=1))
    return (logz - logits[np.arange(len(labels)), labels]).mean()


add(nll_by_index, M33, V3, Y4, notes="constants")


class Activation(enum.Enum):
    """Names for functions."""

    TANH = "tanh"
    SIGMOID = "sigmoid"
    SOFTPLUS = "softplus"

    def apply(self, z):
        if self is Activation.TANH:
            return np.tanh(z)
        if self is Activation.SIGMOID:
            return 1 / (1 + np.exp(-z))
        return np.log1p(np.exp(z))


def enum_activations(w, x):
    z = w @ x
    for kind in Activation:
        z = z + kind.apply(z)
    return np.sum(Activation("tanh").apply(z))


add(enum_activations, M33, V3, notes="values")

ACTIVATIONS = {}


def register(name):
    def decorator(fn):
        ACTIVATIONS[name] = fn
        return fn
    return decorator


@register("swish")
def swish(x, beta=1.0):
    return x / (1 + np.exp(-beta * x))


@register("gelu")
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))


def get_activation(identifier):
    if callable(identifier):
        return identifier
    if identifier not in ACTIVATIONS:
        raise KeyError(f"unknown activation {identifier!r}, expected one of {list(ACTIVATIONS)}")
    return ACTIVATIONS[identifier]


def registered_activations(w, x):
    h = x
    for act in ("swish", "gelu", np.sin):
        h = get_activation(act)(w @ h)
    return h


add(registered_activations, M33, V3, notes="values unreached")


def init_velocity(params):
    return {key: np.zeros_like(value) for key, value in params.items()}


def sgd_momentum(params, grads, velocity, lr=0.1, mu=0.9):
    for key in params:
        velocity[key] = mu * velocity[key] - lr * grads[key]
        params[key] = params[key] + velocity[key]
    return params


def momentum_training(w, b, lr):
    params = {"w": w, "b": b}
    velocity = init_velocity(params)
    for _ in range(3):
        r = X43 @ params["w"] + params["b"] - 1.0
        grads = {"w": X43.T @ r / len(r), "b": np.mean(r)}
        params = sgd_momentum(params, grads, velocity, lr=lr)
    return np.sum(params["w"] ** 2) + params["b"]


add(momentum_training, V3, 0.2, 0.1, notes="lists ownership")


class Adam:
    """With bias correction."""

    def __init__(self, lr=1e-2, betas=(0.9, 0.999), eps=1e-6):
        self.lr, self.betas, self.eps = lr, betas, eps
        self.m = self.v = 0.0
        self.t = 0

    def step(self, p, g):
        self.t += 1
        b1, b2 = self.betas
        self.m = b1 * self.m + (1 - b1) * g
        self.v = b2 * self.v + (1 - b2) * g ** 2
        mhat = self.m / (1 - b1 ** self.t)
        vhat = self.v / (1 - b2 ** self.t)
        return p - self.lr * mhat / (np.sqrt(vhat) + self.eps)


def adam_path(p, lr):
    opt = Adam(lr)
    for _ in range(4):
        p = opt.step(p, 2 * p + np.cos(p))
    return np.sum(p * p)


add(adam_path, V3, 0.1, notes="objects")


def batch_norm(x, gamma, beta, running=None, momentum=0.9, training=True, eps=1e-5):
    if training:
        mu, var = x.mean(axis=0), x.var(axis=0)
        if running is not None:
            running["mean"] = momentum * running["mean"] + (1 - momentum) * mu
            running["var"] = momentum * running["var"] + (1 - momentum) * var
    else:
        mu, var = running["mean"], running["var"]
    return gamma * (x - mu) / np.sqrt(var + eps) + beta


def normalised_loss(x, gamma, beta):
    running = {"mean": np.zeros(3), "var": np.ones(3)}
    out = batch_norm(x, gamma, beta, running)
    again = batch_norm(out, gamma, beta, running, training=False)
    return np.sum(again ** 3) + running["mean"] @ gamma


add(normalised_loss, X43, P3, V3, notes="lists ownership")


def layer_norm(x, *, axis=-1, eps=1e-6):
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / np.sqrt(np.mean(centred ** 2, axis=axis, keepdims=True) + eps)


def attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    return softmax(scores) @ v


def causal_attention(x, wq, wk):
    n = x.shape[0]
    mask = np.tril(np.ones((n, n), dtype=bool))
    return layer_norm(attention(x @ wq, x @ wk, x, mask))


add(causal_attention, X43, M33, M33 * 0.5 + 0.1, notes="constants", holomorphic=False)


def im2col_indices(shape, k, stride=1, pad=0):
    h, w = shape
    out_h = (h + 2 * pad - k) // stride + 1
    out_w = (w + 2 * pad - k) // stride + 1
    i0 = np.repeat(np.arange(k), k)
    i1 = stride * np.repeat(np.arange(out_h), out_w)
    j0 = np.tile(np.arange(k), k)
    j1 = stride * np.tile(np.arange(out_w), out_h)
    return i0[:, None] + i1[None, :], j0[:, None] + j1[None, :], (out_h, out_w)


def conv2d(image, kernel, pad=1):
    k = kernel.shape[0]
    padded = np.pad(image, ((pad, pad), (pad, pad)), mode="constant")
    i, j, out_shape = im2col_indices(image.shape, k, pad=pad)
    cols = padded[i, j]
    return (kernel.reshape(1, -1) @ cols).reshape(out_shape)


def conv_layer(image, kernel):
    return np.sum(np.tanh(conv2d(image, kernel)) ** 2)


add(conv_layer, np.linspace(-1, 1, 16).reshape(4, 4), M33, notes="constants")


def max_pool(x, size=2):
    h, w = x.shape
    blocks = x.reshape(h // size, size, w // size, size)
    return blocks.max(axis=(1, 3))


def pooled(x):
    return np.sum(max_pool(np.sin(x)) * np.array([[1.0, 2.0], [3.0, 4.0]]))


add(pooled, np.linspace(-1.3, 1.6, 16).reshape(4, 4) ** 2 + np.arange(16).reshape(4, 4) % 3, notes="constants",
    holomorphic=False)


class GRUCell:
    """A gated cell with its weights in attributes."""

    def __init__(self, w, u):
        for gate, scale in zip("zrh", (1.0, 0.7, 1.3)):
            setattr(self, f"w{gate}", w * scale)
            setattr(self, f"u{gate}", u * scale)

    def __call__(self, h, x):
        z = 1 / (1 + np.exp(-(self.wz @ h + self.uz * x)))
        r = 1 / (1 + np.exp(-(self.wr @ h + self.ur * x)))
        cand = np.tanh(self.wh @ (r * h) + self.uh * x)
        return (1 - z) * h + z * cand


def gru_sequence(w, u, xs):
    cell = GRUCell(w, u)
    return np.sum(functools.reduce(cell, xs, np.zeros(3)) ** 2)


add(gru_sequence, M33, V3, V4, notes="objects values library")


class MLP:
    """Layers made from sizes, with parameters in an ordered dict."""

    def __init__(self, params):
        self.params = OrderedDict(params)
        self.activations = []

    @property
    def depth(self):
        return sum(1 for key in self.params if key.startswith("W"))

    def forward(self, x):
        for i in range(self.depth):
            x = x @ self.params[f"W{i}"] + self.params[f"b{i}"]
            if i < self.depth - 1:
                x = np.tanh(x)
            self.activations.append(x)
        return x

    def penalty(self):
        return sum(np.sum(value ** 2) for key, value in self.params.items() if key[0] == "W")


def mlp_with_penalty(w0, b0, w1):
    model = MLP([("W0", w0), ("b0", b0), ("W1", w1), ("b1", np.zeros(3))])
    y = model.forward(X43)
    return np.mean((y - 0.5) ** 2) + 0.01 * model.penalty() + np.sum(model.activations[0])


add(mlp_with_penalty, M32, V2, M23, notes="objects lists")


def mse(pred, target):
    return np.mean((pred - target) ** 2)


def huber(pred, target, delta=0.5):
    r = np.abs(pred - target)
    return np.mean(np.where(r <= delta, 0.5 * r ** 2, delta * (r - 0.5 * delta)))


class LossRegistry:
    """Losses by name with weights."""

    def __init__(self):
        self._losses = {}
        self._weights = {}

    def register(self, name, fn, weight=1.0):
        self._losses[name] = fn
        self._weights[name] = weight
        return self

    def __call__(self, pred, target):
        return sum(self._weights[n] * fn(pred, target) for n, fn in self._losses.items())


def combined_loss(pred, target):
    losses = LossRegistry().register("mse", mse).register("huber", huber, weight=0.3)
    return losses(pred, target)


add(combined_loss, V3, W3, notes="values objects", holomorphic=False)


def train_step(w, x, y, lr):
    def loss(w):
        return np.mean((np.tanh(x @ w) - y) ** 2)
    return w - lr * tnb.grad(loss)(w)


def hypergradient(lr, w):
    y = np.array([0.5, -0.2, 0.1, 0.7])
    for _ in range(3):
        w = train_step(w, X43, y, lr)
    return np.mean((np.tanh(X43 @ w) - y) ** 2)


add(hypergradient, 0.3, V3, notes="inner", holomorphic=False)


def gradient_penalty(w, x):
    """A critic whose slope in x is to be one."""
    def critic(x):
        return np.sum(np.tanh(w @ x) * V3)
    g = tnb.grad(critic)(x)
    return (np.sqrt(np.sum(g ** 2)) - 1) ** 2 + critic(x)


add(gradient_penalty, M33, W3, notes="inner", holomorphic=False)


@contextmanager
def no_training(layer):
    before = layer.training
    layer.training = False
    try:
        yield layer
    finally:
        layer.training = before


class Dropout(Layer):
    """A fixed mask stands for the draw."""

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        keep = (np.arange(x.size).reshape(x.shape) % 3 != 0).astype(x.dtype)
        return x * keep / (1 - self.p)


def dropout_both_ways(x):
    layer = Dropout(0.4)
    noisy = layer(x * x)
    with no_training(layer) as frozen:
        clean = frozen(np.sin(x))
    return np.sum(noisy * clean)


add(dropout_both_ways, V5, notes="control objects")


def ema_teacher(student, steps):
    teacher = copy.deepcopy(student)
    for k in range(steps):
        student = [s - 0.1 * np.sin(s) for s in student]
        teacher = [0.8 * t + 0.2 * s for t, s in zip(teacher, student, strict=True)]
    return teacher


def mean_teacher(a, b):
    final = ema_teacher([a, b], 3)
    return sum(map(np.sum, final)) * np.sum(final[1] * b)


add(mean_teacher, V3, W3, notes="library lists")


def kl_divergence(mu, logvar):
    return -0.5 * np.sum(1 + logvar - mu ** 2 - np.exp(logvar))


def vae_loss(w, mu, logvar, rng_seed=3):
    rng = np.random.default_rng(rng_seed)
    z = mu + np.exp(0.5 * logvar) * rng.standard_normal(mu.shape)
    recon = 1 / (1 + np.exp(-(w @ z)))
    target = typing.cast(np.ndarray, P3 / 2)
    bce = -np.sum(target * np.log(recon) + (1 - target) * np.log1p(-recon))
    return bce + kl_divergence(mu, logvar)


add(vae_loss, M33, V3, W3 * 0.3, wrt=(0, 1, 2), notes="library")


def cosine_schedule(step, total, base):
    if not 0 <= step <= total:
        raise ValueError(f"step {step} outside of 0..{total}")
    return 0.5 * base * (1 + np.cos(np.pi * step / total))


def scheduled_descent(base, x):
    total = 5
    for step in range(total):
        x = x - cosine_schedule(step, total, base) * (x ** 3 - x)
    return x


add(scheduled_descent, 0.2, V3, notes="unreached constants")


def clip_by_global_norm(grads, max_norm):
    total = np.sqrt(sum(np.sum(np.square(g)) for g in grads))
    if total > max_norm:
        warnings.warn("gradient clipped", RuntimeWarning, stacklevel=2)
        return [g * (max_norm / total) for g in grads]
    return grads


def clipped_update(a, b):
    ga, gb = clip_by_global_norm([2 * a, np.cos(b)], max_norm=1.0)
    return np.sum(a - 0.1 * ga) * np.sum(b - 0.1 * gb)


add(clipped_update, V3, W3, notes="unreached lists")


def replay_loss(w, horizon=3):
    memory = deque(maxlen=horizon)
    state = V3
    total = 0.0
    for step in range(5):
        state = np.tanh(w @ state)
        memory.append(state)
        if len(memory) == memory.maxlen:
            total = total + sum(np.sum(s ** 2) for s in memory) / horizon
    return total


add(replay_loss, M33, wrt=(0,), notes="lists library")


def grouped_penalty(w, groups=(0, 1, 0, 2, 1)):
    buckets = defaultdict(list)
    for value, group in zip(w, groups):
        buckets[group].append(value)
    return sum(np.sqrt(len(v)) * np.sqrt(sum(x * x for x in v)) for v in buckets.values())


add(grouped_penalty, V5, wrt=(0,), notes="lists library")


def sinusoidal(n, d):
    position = np.arange(n)[:, np.newaxis]
    angle = position / np.power(100.0, 2 * (np.arange(d) // 2) / d)
    enc = np.empty((n, d))
    enc[:, 0::2] = np.sin(angle[:, 0::2])
    enc[:, 1::2] = np.cos(angle[:, 1::2])
    return enc


def embedded(table, tokens):
    h = table[tokens] + sinusoidal(len(tokens), table.shape[1])
    return np.sum(h[:-1] * h[1:])


add(embedded, X43, np.array([1, 3, 1, 0, 2]), wrt=(0,), notes="constants")


def triplet_loss(anchor, positive, negative, margin=1.0):
    d = {"ap": anchor - positive, "an": anchor - negative}
    d = {k: np.sum(v ** 2) for k, v in d.items()}
    return max(d["ap"] - d["an"] + margin, 0.0)


add(triplet_loss, V3, V3 + 0.3, W3 * 0.5, wrt=(0, 1, 2), notes="lists", holomorphic=False)


def pairwise_ranking(scores, relevance=(2, 0, 1, 0, 1)):
    pairs = [(i, j) for i, j in itertools.product(range(len(relevance)), repeat=2) if relevance[i] > relevance[j]]
    if not pairs:
        return 0.0 * scores.sum()
    i, j = np.array(pairs).T
    return np.mean(np.log1p(np.exp(-(scores[i] - scores[j]))))


add(pairwise_ranking, V5, wrt=(0,), notes="lists library constants")


class Sequential:
    """With indexing, iteration and length."""

    def __init__(self, *layers):
        self.layers = layers

    def __iter__(self):
        return iter(self.layers)

    def __getitem__(self, i):
        return self.layers[i]

    def __len__(self):
        return len(self.layers)

    def __call__(self, x):
        for layer in self:
            x = layer(x)
        return x


def residual_model(w1, w2):
    model = Sequential(Linear(w1), np.tanh, Linear(w2))
    return np.sum(X43 + model(X43)) / len(model) + np.sum(model[0].cache["x"])


add(residual_model, M32, M23, notes="objects stars values")


def flatten_params(tree):
    leaves = []
    for value in tree.values():
        leaves.extend(flatten_params(value) if isinstance(value, dict) else [np.ravel(value)])
    return leaves


def weight_decay(w, b, scale):
    tree = {"enc": {"w": w, "b": b}, "scale": scale}
    flat = np.concatenate(flatten_params(tree))
    return np.dot(flat, flat)


add(weight_decay, M32, V2, A, notes="library lists")


def maml_objective(theta, alpha):
    tasks = [(1.0, 0.2), (-0.5, 0.7), (0.3, -0.4)]
    total = 0.0
    for slope, shift in tasks:
        def loss(p):
            return np.sum((slope * p + shift) ** 2 + np.sin(p))
        adapted = theta - alpha * tnb.grad(loss)(theta)
        total = total + loss(adapted)
    return total / len(tasks)


add(maml_objective, V3, 0.1, notes="inner", holomorphic=False)


def product_of_experts(means, variances):
    precision = functools.reduce(operator.add, [1 / v for v in variances])
    mean = sum(map(operator.truediv, means, variances)) / precision
    return mean * precision ** 0.5


def fused(a, b, v):
    return np.sum(product_of_experts([a, b], [v, v * 2.0]))


add(fused, V3, W3, P3, notes="library lists")
