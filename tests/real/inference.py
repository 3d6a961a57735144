"""Distributions, likelihoods, regressions, kernels and series."""
from __future__ import annotations

import abc
import functools
import inspect
import itertools
import math
import operator
import warnings
from dataclasses import dataclass
from typing import Callable, Optional, Union

import numpy as np
import scipy
from corpus import M33, P3, V3, V4, V5, W3, A, B, add, section
from scipy import special, stats
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular
from scipy.special import betaln, digamma, expit, gammaln, log_ndtr, logsumexp

import tangent_nb as tnb

section("real_inference")

DATA = np.array([0.2, -0.5, 1.3, 0.8, -1.1, 0.4])
COUNTS = np.array([1, 0, 3, 2, 1, 4])
XMAT = np.array([[1.0, 0.2], [1.0, -0.7], [1.0, 1.1], [1.0, 0.5], [1.0, -0.3], [1.0, 1.6]])
LABELS = (DATA > 0).astype(float)


class Distribution(abc.ABC):
    """logpdf is of the children."""

    parameters = ()

    def __init__(self, **params):
        missing = set(self.parameters) - set(params)
        if missing:
            raise TypeError(f"missing: {sorted(missing)}")
        for key, value in params.items():
            setattr(self, key, value)

    @abc.abstractmethod
    def logpdf(self, x):
        """At x."""

    def loglik(self, data):
        return np.sum(self.logpdf(np.asarray(data)))


class Normal(Distribution):
    """mu, sigma."""

    parameters = ("mu", "sigma")

    def logpdf(self, x):
        return -0.5 * ((x - self.mu) / self.sigma) ** 2 - np.log(self.sigma) - 0.5 * np.log(2 * np.pi)


class Laplace(Distribution):
    """loc, scale."""

    parameters = ("loc", "scale")

    def logpdf(self, x):
        return -np.abs(x - self.loc) / self.scale - np.log(2 * self.scale)


def mixture_of_families(mu, sigma, weight):
    normal = Normal(mu=mu, sigma=sigma)
    laplace = Laplace(loc=mu, scale=sigma)
    terms = np.stack([np.log(weight) + normal.logpdf(DATA), np.log1p(-weight) + laplace.logpdf(DATA)])
    return np.sum(logsumexp(terms, axis=0)) + normal.loglik([0.1, 0.2])


add(mixture_of_families, 0.3, 0.9, 0.4, notes="objects stars unreached rules", holomorphic=False)


class GaussianMixture(object):
    """Component arrays."""

    def __init__(self, means, sigmas, weights):
        self.means = means
        self.sigmas = sigmas
        self.weights = weights

    def log_prob(self, x):
        lp = -0.5 * (x[:, None] - self.means) ** 2 / self.sigmas ** 2 - np.log(np.sqrt(2 * np.pi) * self.sigmas)
        return logsumexp(np.log(self.weights) + lp, axis=1)

    def responsibilities(self, x):
        lp = -0.5 * (x[:, None] - self.means) ** 2 / self.sigmas ** 2 - np.log(self.sigmas) + np.log(self.weights)
        return special.softmax(lp, axis=1)


def em_step(means, sigmas):
    gm = GaussianMixture(means, sigmas, np.array([0.3, 0.4, 0.3]))
    r = gm.responsibilities(DATA)
    new = r.T @ DATA / r.sum(axis=0)
    return np.sum(GaussianMixture(new, sigmas, r.mean(axis=0)).log_prob(DATA))


add(em_step, V3, P3, notes="objects rules", holomorphic=False)


def poisson_nll(beta):
    eta = XMAT @ beta
    return np.sum(np.exp(eta) - COUNTS * eta + gammaln(COUNTS + 1))


add(poisson_nll, np.array([0.2, 0.4]), notes="rules constants", holomorphic=False)


def newton_logistic(penalty, start):
    beta = start
    for it in range(3):
        p = expit(XMAT @ beta)
        gradient = XMAT.T @ (p - LABELS) + penalty * beta
        hessian = (XMAT * (p * (1 - p))[:, None]).T @ XMAT + penalty * np.eye(2)
        beta = beta - np.linalg.solve(hessian, gradient)
    return beta


add(newton_logistic, 0.5, np.array([0.1, 0.2]), notes="rules", holomorphic=False)


def negative_binomial(mu, alpha):
    size = 1 / alpha
    ll = gammaln(COUNTS + size) - gammaln(size) - gammaln(COUNTS + 1)
    ll = ll + size * np.log(size / (size + mu)) + COUNTS * np.log(mu / (size + mu))
    return -ll.sum()


add(negative_binomial, 1.7, 0.4, notes="rules", holomorphic=False)


def rbf(a, b, length, variance=1.0):
    sq = np.sum(a ** 2, 1)[:, None] + np.sum(b ** 2, 1) - 2 * a @ b.T
    return variance * np.exp(-0.5 * np.maximum(sq, 0) / length ** 2)


def matern32(a, b, length, variance=1.0):
    d = np.sqrt(np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1) + 1e-12)
    s = np.sqrt(3) * d / length
    return variance * (1 + s) * np.exp(-s)


KERNELS: dict[str, Callable] = {"rbf": rbf, "matern32": matern32}


class GPR:
    """A process with a kernel by name."""

    def __init__(self, kernel="rbf", noise=0.1, **hyper):
        self.kernel = KERNELS[kernel] if isinstance(kernel, str) else kernel
        self.noise = noise
        self.hyper = hyper
        self._fitted = False

    def fit(self, X, y):
        K = self.kernel(X, X, **self.hyper) + self.noise * np.eye(len(X))
        self.L = cholesky(K, lower=True)
        self.alpha = cho_solve((self.L, True), y)
        self.X, self.y = X, y
        self._fitted = True
        return self

    def lml(self):
        if not self._fitted:
            raise RuntimeError("fit first")
        return (-0.5 * self.y @ self.alpha - np.sum(np.log(np.diag(self.L)))
                - 0.5 * len(self.y) * np.log(2 * np.pi))

    def predict(self, Xs):
        return self.kernel(Xs, self.X, **self.hyper) @ self.alpha


def gp_evidence(length, noise):
    return GPR("rbf", noise=noise, length=length).fit(XMAT, DATA).lml()


add(gp_evidence, 0.8, 0.3, notes="objects stars unreached values rules", holomorphic=False)


def gp_prediction(length, variance):
    gp = GPR(matern32, 0.2, length=length, variance=variance)
    gp.fit(XMAT, DATA)
    return np.sum(gp.predict(XMAT[:2] + 0.1) ** 2)


add(gp_prediction, 0.8, 1.3, notes="objects stars values rules library", holomorphic=False)


def mvn_logpdf(x, mean, cov):
    L = np.linalg.cholesky(cov)
    z = solve_triangular(L, x - mean, lower=True)
    return -0.5 * (z @ z) - np.log(np.diag(L)).sum() - 0.5 * x.size * np.log(2 * np.pi)


def factor_model(loadings, noise):
    cov = np.outer(loadings, loadings) + np.diag(noise)
    return mvn_logpdf(W3, np.zeros(3), cov)


add(factor_model, V3, P3, notes="rules", holomorphic=False)


def beta_binomial(a, b, n=5):
    k = np.arange(n + 1)
    logpmf = special.gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + betaln(k + a, n - k + b) - betaln(a, b)
    return np.sum(np.exp(logpmf) * k ** 2)


add(beta_binomial, 1.3, 2.1, wrt=(0, 1), notes="rules constants", holomorphic=False)


def dirichlet_entropy(alpha):
    a0 = np.sum(alpha)
    lnb = np.sum(gammaln(alpha)) - gammaln(a0)
    return lnb + (a0 - len(alpha)) * digamma(a0) - np.sum((alpha - 1) * digamma(alpha))


add(dirichlet_entropy, P3, notes="rules", holomorphic=False)


def probit_loss(beta):
    signs = np.where(LABELS > 0, 1.0, -1.0)
    return -np.sum(log_ndtr(signs * (XMAT @ beta)))


add(probit_loss, np.array([0.2, 0.5]), notes="rules constants", holomorphic=False)


def ar_residuals(x, *phi, const=0.0):
    order = len(phi)
    pred = const + sum(c * x[order - k - 1:len(x) - k - 1] for k, c in enumerate(phi))
    return x[order:] - pred


def ar_loss(a, b, c):
    return np.sum(ar_residuals(DATA, a, b, const=c) ** 2)


add(ar_loss, 0.4, -0.2, 0.1, notes="stars")


def holt_winters(series, alpha, beta, horizon=2):
    level, trend = series[0], series[1] - series[0]
    sse = 0.0
    for value in series[2:]:
        forecast = level + trend
        sse += (value - forecast) ** 2
        last = level
        level = alpha * value + (1 - alpha) * (level + trend)
        trend = beta * (level - last) + (1 - beta) * trend
    return sse, [level + (h + 1) * trend for h in range(horizon)]


def holt_error(alpha, beta):
    sse, forecasts = holt_winters(DATA, alpha, beta)
    return sse + forecasts[-1] ** 2


add(holt_error, 0.5, 0.3, notes="lists")


def hmm_forward(log_a, log_b, log_pi, obs):
    alpha = log_pi + log_b[:, obs[0]]
    for o in obs[1:]:
        alpha = np.logaddexp.reduce(alpha[:, None] + log_a, axis=0) + log_b[:, o]
    return np.logaddexp.reduce(alpha)


def normalise_log(z):
    return z - logsumexp(z, axis=1, keepdims=True)


def hmm_loglik(a, b):
    return hmm_forward(normalise_log(a), normalise_log(b), np.log(np.full(3, 1 / 3)), [0, 2, 1, 1])


add(hmm_loglik, M33, M33.T * 0.7, notes="rules lists", holomorphic=False)


def hmm_scaled(trans, emit):
    A_ = trans / trans.sum(axis=1, keepdims=True)
    E = emit / emit.sum(axis=1, keepdims=True)
    obs = (1, 0, 1)
    alpha = np.zeros((len(obs), 2))
    c = np.zeros(len(obs))
    alpha[0, :] = 0.5 * E[:, obs[0]].T
    c[0] = np.sum(alpha[0, :])
    alpha[0, :] /= c[0]
    for t in range(1, len(obs)):
        alpha[t, :] = (alpha[t - 1, :] @ A_) * E[:, obs[t]].T
        c[t] = np.sum(alpha[t, :])
        alpha[t, :] /= c[t]
    return np.sum(np.log(c))


add(hmm_scaled, np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.2], [0.3, 0.8]]), notes="ownership constants")


def weighted_quantile(values, weights, q):
    order = np.argsort(values)
    values, weights = values[order], weights[order]
    cum = np.cumsum(weights) - 0.5 * weights
    return np.interp(q, cum / weights.sum(), values)


add(weighted_quantile, DATA, np.array([1.0, 0.7, 0.4, 1.2, 0.9, 0.5]), 0.4, wrt=(0, 1), notes="constants rules",
    holomorphic=False)


def kde(points, x, bandwidth=None):
    if bandwidth is None:
        bandwidth = 1.06 * np.std(points) * len(points) ** (-1 / 5)
    z = (np.asarray(x)[..., None] - points) / bandwidth
    return np.mean(np.exp(-0.5 * z ** 2), axis=-1) / (bandwidth * math.sqrt(2 * math.pi))


def leave_one_out(points):
    total = 0.0
    for i in range(len(points)):
        rest = np.delete(points, i)
        total += np.log(kde(rest, points[i]))
    return total


add(leave_one_out, V5, notes="constants control")


def huber_location(x, k=1.0, tol=1e-12):
    mu = np.mean(x)
    scale = np.std(x)
    for _ in range(60):
        r = (x - mu) / scale
        w = np.where(np.abs(r) <= k, 1.0, k / np.abs(r))
        new = np.sum(w * x) / np.sum(w)
        if np.abs(new - mu) < tol:
            break
        mu = new
    return new


add(huber_location, DATA, wrt=(0,), notes="control", holomorphic=False, orders=1)


def bootstrap_means(x, n=4, seed=11):
    rng = np.random.default_rng(seed)
    return np.array([x[rng.integers(0, len(x), len(x))].mean() for _ in range(n)])


def bootstrap_spread(x):
    return np.var(bootstrap_means(x), ddof=1)


add(bootstrap_spread, DATA, notes="constants lists")


def standardise(x, axis=0, ddof=0):
    mean = np.mean(x, axis=axis, keepdims=True)
    std = np.std(x, axis=axis, ddof=ddof, keepdims=True)
    if np.any(std < np.finfo(std.dtype).eps):
        warnings.warn("a constant column", RuntimeWarning)
    return (x - mean) / std


def correlation_energy(x):
    z = standardise(x, ddof=1)
    corr = z.T @ z / (len(x) - 1)
    return np.sum(np.triu(corr, k=1) ** 2)


add(correlation_energy, M33 + np.array([[0.0], [1.0], [0.3]]), notes="unreached library constants", holomorphic=False)


def pca_variance(x, k=1):
    centred = x - x.mean(axis=0)
    _, s, _ = np.linalg.svd(centred, full_matrices=False)
    var = s ** 2
    return var[:k].sum() / var.sum()


add(pca_variance, M33, wrt=(0,), notes="constants", holomorphic=False)


def elastic_net(beta, lam, ratio=0.5):
    return lam * (ratio * np.abs(beta).sum() + 0.5 * (1 - ratio) * (beta @ beta))


def soft(x, t):
    return np.sign(x) * np.maximum(np.abs(x) - t, 0)


def coordinate_descent(y, lam):
    beta = np.zeros(2)
    for _ in range(3):
        for j in range(2):
            partial = y - XMAT @ beta + XMAT[:, j] * beta[j]
            beta[j] = soft(XMAT[:, j] @ partial, lam) / (XMAT[:, j] @ XMAT[:, j])
    return elastic_net(beta, lam) + 0.5 * np.sum((y - XMAT @ beta) ** 2)


add(coordinate_descent, DATA, 0.3, notes="ownership", holomorphic=False)


@dataclass
class Prior:
    """A density with its bijection."""

    dist: object
    transform: Optional[Callable] = None

    def logp(self, theta):
        value = theta if self.transform is None else self.transform(theta)
        return self.dist.logpdf(value)


def log_posterior(mu, log_sigma):
    priors = {"mu": Prior(stats.norm(0, 2)), "sigma": Prior(stats.gamma(2.0), np.exp)}
    sigma = np.exp(log_sigma)
    lp = priors["mu"].logp(mu) + priors["sigma"].logp(log_sigma) + log_sigma
    return lp + np.sum(stats.norm.logpdf(DATA, mu, sigma))


add(log_posterior, 0.2, -0.3, notes="objects values rules", holomorphic=False)


def hmc_step(q, p, step):
    def potential(q):
        return 0.5 * q @ M33.T @ M33 @ q + np.sum(np.cos(q))
    force = tnb.grad(potential)
    p = p - 0.5 * step * force(q)
    q = q + step * p
    p = p - 0.5 * step * force(q)
    return potential(q) + 0.5 * p @ p


add(hmc_step, V3, W3, 0.1, notes="inner", holomorphic=False)


def laplace_approximation(scale):
    def nlp(theta):
        return np.sum(np.log1p(np.exp(-(XMAT @ theta) * scale))) + 0.5 * theta @ theta
    H = tnb.hessian(nlp)(np.array([0.3, -0.2]))
    return 0.5 * np.linalg.slogdet(H)[1]


add(laplace_approximation, 0.7, notes="inner", holomorphic=False)


def score_statistic(mu, sigma):
    def loglik(mu, sigma):
        return np.sum(-0.5 * ((DATA - mu) / sigma) ** 2 - np.log(sigma))
    score = tnb.grad(loglik, wrt=(0, 1))(mu, sigma)
    return score[0] ** 2 + score[0] * score[1]


add(score_statistic, 0.2, 0.9, notes="inner", holomorphic=False)


def stein_discrepancy(points, width):
    def kernel(x, y):
        return np.exp(-0.5 * (x - y) ** 2 / width ** 2)
    dx = tnb.grad(kernel, wrt=0)
    total = 0.0
    for x, y in itertools.product(points, repeat=2):
        total = total + x * y * kernel(x, y) - 2 * y * dx(x, y)
    return total


add(stein_discrepancy, np.array([0.3, -0.6]), 0.9, notes="inner library", holomorphic=False)


def check_array(x: Union[list, np.ndarray], ndim: int = 1, name: str = "x") -> np.ndarray:
    x = np.asarray(x)
    if x.ndim != ndim:
        raise ValueError(f"{name} has {x.ndim} dimensions, {ndim} expected")
    if not np.all(np.isfinite(x)):
        raise ValueError(f"{name} is not finite")
    return x


def r_squared(beta):
    y = check_array(DATA, name="y")
    pred = check_array(XMAT @ check_array(beta, name="beta"), name="prediction")
    return 1 - np.sum((y - pred) ** 2) / np.sum((y - y.mean()) ** 2)


add(r_squared, np.array([0.3, 0.5]), notes="unreached")


def call_with_known(fn, **known):
    wanted = inspect.signature(fn).parameters
    return fn(**{k: v for k, v in known.items() if k in wanted})


def weibull_mean(shape, scale):
    return scale * special.gamma(1 + 1 / shape)


def by_signature(shape, scale):
    return call_with_known(weibull_mean, shape=shape, scale=scale, location=0.0)


add(by_signature, 1.4, 0.9, notes="stars library rules", holomorphic=False)


def log_mean_exp(*arrays, weights=None):
    stacked = np.stack(np.broadcast_arrays(*arrays))
    return scipy.special.logsumexp(stacked, axis=0, b=weights) - np.log(len(arrays))


def bound(a, b):
    return np.sum(log_mean_exp(a, b, a * b))


add(bound, V3, W3, notes="stars rules", holomorphic=False)


def moments(values):
    n = len(values)
    mean = functools.reduce(operator.add, values) / n
    m2, m3 = (sum((v - mean) ** k for v in values) / n for k in (2, 3))
    return mean, m2, m3 / m2 ** 1.5


def skew_of_list(a, b):
    mean, var, skew = moments([a, b, a * b, 0.3])
    return mean * var + skew


add(skew_of_list, A, B, notes="lists library")


def running_stats(values):
    n, mean, m2 = 0, 0.0, 0.0
    for x in values:
        n += 1
        delta = x - mean
        mean += delta / n
        m2 += delta * (x - mean)
    return {"n": n, "mean": mean, "var": m2 / (n - 1)}


def cusum(x):
    s = running_stats(x)
    z = [(v - s["mean"]) / math.sqrt(s["var"]) for v in x]
    return max(itertools.accumulate(z, lambda c, v: max(0.0, c + v - 0.2)))


add(cusum, V4, notes="lists library", holomorphic=False)


def ridge_cv(lam):
    X, y = XMAT, DATA
    factor = cho_factor(X.T @ X + lam * np.eye(2))
    hat = X @ cho_solve(factor, X.T)
    resid = (y - hat @ y) / (1 - np.diag(hat))
    return np.mean(resid ** 2)


add(ridge_cv, 0.4, notes="rules", holomorphic=False)
