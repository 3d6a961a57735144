"""Prices, curves, risk and portfolios."""
from __future__ import annotations

import bisect
import functools
import itertools
import math
import operator
import warnings
from collections import OrderedDict
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from corpus import M33, P3, V3, V4, V5, A, add, section
from scipy import interpolate, optimize, stats
from scipy.special import erf, ndtr
from scipy.stats import norm

import tangent_nb as tnb

section("real_finance")

R2 = math.sqrt(2.0)


def ncdf(x):
    return 0.5 * (1.0 + erf(x / R2))


def npdf(x):
    return np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)


class BSOption:
    """A vanilla option, validated as it is made."""

    def __init__(self, CP, S, K, T, r, v, q=0):
        self.CP = BSOption._valid_option(CP)
        self.S = BSOption._valid("S", S)
        self.K = BSOption._valid("K", K)
        self.T = BSOption._valid("T", T)
        self.r = r
        self.v = BSOption._valid("v", v)
        self.q = q

    @staticmethod
    def _valid_option(cp):
        if cp not in ("C", "P"):
            raise ValueError(f"option must be C or P, not {cp}")
        return cp

    @staticmethod
    def _valid(name, value):
        if value <= 0:
            raise ValueError(f"{name} must be positive, got {value}")
        return value

    @property
    def d1(self):
        return (np.log(self.S / self.K) + (self.r - self.q + 0.5 * self.v ** 2) * self.T) / (self.v * self.T ** 0.5)

    @property
    def d2(self):
        return self.d1 - self.v * self.T ** 0.5

    def price(self):
        sign = {"C": 1, "P": -1}[self.CP]
        return sign * (self.S * np.exp(-self.q * self.T) * ncdf(sign * self.d1)
                       - self.K * np.exp(-self.r * self.T) * ncdf(sign * self.d2))


def call_price(S, K, T, r, v):
    return BSOption("C", S, K, T, r, v).price()


add(call_price, 1.1, 1.0, 0.5, 0.03, 0.25, notes="objects unreached rules")


def put_call_parity(S, K, v):
    pair = [BSOption(kind, S, K, 0.7, 0.02, v, q=0.01).price() for kind in "CP"]
    return pair[0] * pair[1]


add(put_call_parity, 1.1, 1.0, 0.25, notes="objects unreached lists rules")


def black_scholes(S, K, T, r, sigma, option_type="call"):
    d1 = (np.log(S / K) + (r + 0.5 * sigma ** 2) * T) / (sigma * np.sqrt(T))
    d2 = d1 - sigma * np.sqrt(T)
    if option_type == "call":
        return S * norm.cdf(d1) - K * np.exp(-r * T) * norm.cdf(d2)
    if option_type == "put":
        return K * np.exp(-r * T) * norm.cdf(-d2) - S * norm.cdf(-d1)
    raise ValueError("option_type is 'call' or 'put'")


def portfolio_value(S, sigma):
    strikes = np.array([0.9, 1.0, 1.2])
    return np.sum(black_scholes(S, strikes, 0.5, 0.02, sigma) - black_scholes(S, strikes, 0.5, 0.02, sigma, "put"))


add(portfolio_value, 1.05, 0.3, notes="rules unreached", holomorphic=False)


def greeks(S, K, T, r, sigma):
    price = functools.partial(black_scholes, K=K, T=T, r=r, sigma=sigma)
    delta = tnb.grad(price)(S)
    return delta


def hedge_error(S, sigma):
    return (greeks(S, 1.0, 0.5, 0.02, sigma) - 0.5) ** 2


add(hedge_error, 1.05, 0.3, notes="inner rules values", holomorphic=False)


def implied_vol(price, S=1.0, K=1.1, T=0.5, r=0.01, guess=0.3):
    sigma = guess
    for _ in range(25):
        d1 = (np.log(S / K) + (r + 0.5 * sigma ** 2) * T) / (sigma * np.sqrt(T))
        vega = S * npdf(d1) * np.sqrt(T)
        value = S * ndtr(d1) - K * np.exp(-r * T) * ndtr(d1 - sigma * np.sqrt(T))
        change = (value - price) / vega
        sigma = sigma - change
        if abs(change) < 1e-13:
            break
    else:
        raise RuntimeError(f"no volatility for {price}")
    return sigma


add(implied_vol, 0.25, wrt=(0,), notes="unreached rules", holomorphic=False, orders=1)


def implied_vol_brentq(price, S, K):
    def objective(sigma):
        d1 = np.log(S / K) / sigma + 0.5 * sigma
        return S * ndtr(d1) - K * ndtr(d1 - sigma) - price
    return optimize.brentq(objective, 0.01, 2.0, xtol=1e-14)


add(implied_vol_brentq, 0.08, 1.0, 1.1, notes="rules values", holomorphic=False, orders=1)


class CompoundingType(Enum):
    """How interest is paid."""

    SIMPLE = 1
    ANNUAL = 2
    CONTINUOUS = 3


@dataclass(frozen=True)
class Rate:
    """A rate with its convention."""

    value: float
    compounding: CompoundingType = CompoundingType.CONTINUOUS

    def discount(self, t):
        match self.compounding:
            case CompoundingType.SIMPLE:
                return 1.0 / (1.0 + self.value * t)
            case CompoundingType.ANNUAL:
                return (1.0 + self.value) ** -t
            case _:
                return np.exp(-self.value * t)


def discount_ladder(r, t):
    base = Rate(r)
    return sum(replace(base, compounding=c).discount(t * (k + 1)) for k, c in enumerate(CompoundingType))


add(discount_ladder, 0.04, 1.7, notes="objects values library")


@dataclass
class Bond:
    """Coupons and a face value."""

    coupon: float
    maturity: int
    face: float = 1.0

    def cashflows(self):
        flows = [self.coupon * self.face] * self.maturity
        flows[-1] += self.face
        return flows

    def price(self, y):
        return sum(cf / (1 + y) ** t for t, cf in enumerate(self.cashflows(), start=1))

    def duration(self, y):
        p = self.price(y)
        return sum(t * cf / (1 + y) ** t for t, cf in enumerate(self.cashflows(), 1)) / p


def bond_duration(coupon, y):
    bond = Bond(coupon, 5)
    return bond.duration(y) + bond.price(y)


add(bond_duration, 0.04, 0.03, notes="objects lists")


def yield_to_maturity(price, coupon):
    bond = Bond(coupon, 4)
    y, lo, hi = 0.05, 0.0, 1.0
    for _ in range(40):
        f = bond.price(y) - price
        df = tnb.grad(bond.price)(y)
        y = y - f / df
        if not lo < y < hi:
            raise ArithmeticError(f"yield left [{lo}, {hi}]: {y:.4f}")
        if abs(f) < 1e-14:
            break
    return y


add(yield_to_maturity, 0.97, 0.04, notes="inner unreached", holomorphic=False, orders=1)


class DiscountCurve:
    """Log-linear between its nodes."""

    def __init__(self, times, rates):
        self.times = list(times)
        self.logdf = [-r * t for r, t in zip(rates, times)]

    def df(self, t):
        i = bisect.bisect_left(self.times, t)
        if i == 0:
            return np.exp(self.logdf[0] * t / self.times[0])
        i = min(i, len(self.times) - 1)
        t0, t1 = self.times[i - 1], self.times[i]
        w = (t - t0) / (t1 - t0)
        return np.exp((1 - w) * self.logdf[i - 1] + w * self.logdf[i])

    def forward(self, t0, t1):
        return (self.df(t0) / self.df(t1) - 1) / (t1 - t0)


def swap_value(rates, fixed):
    curve = DiscountCurve((0.5, 1.0, 2.0, 5.0), rates)
    pay = [0.5, 1.0, 1.5, 2.0]
    floating = sum(curve.forward(a, b) * (b - a) * curve.df(b) for a, b in zip([0.25] + pay, pay))
    return floating - fixed * sum(0.5 * curve.df(t) for t in pay)


add(swap_value, np.array([0.02, 0.025, 0.03, 0.035]), 0.028, notes="objects lists constants")


def nelson_siegel(tau, beta0, beta1, beta2, lam):
    x = tau / lam
    load = (1 - np.exp(-x)) / x
    return beta0 + beta1 * load + beta2 * (load - np.exp(-x))


def curve_fit_error(params):
    taus = np.array([0.5, 1.0, 2.0, 5.0, 10.0])
    market = np.array([0.021, 0.023, 0.026, 0.031, 0.034])
    return np.sum((nelson_siegel(taus, *params) - market) ** 2)


add(curve_fit_error, np.array([0.035, -0.015, 0.01, 1.8]), notes="stars")


def bootstrap(par_rates):
    dfs = []
    for k, s in enumerate(par_rates):
        annuity = sum(dfs)
        dfs.append((1 - s * annuity) / (1 + s))
        if dfs[-1] <= 0:
            warnings.warn(f"negative discount factor in year {k + 1}", stacklevel=2)
    return np.array(dfs)


add(bootstrap, np.array([0.02, 0.025, 0.03, 0.032]), notes="lists unreached")


def binomial_tree(S, K, sigma, steps=4, r=0.02, T=1.0, american=True):
    dt = T / steps
    u = np.exp(sigma * np.sqrt(dt))
    d = 1 / u
    p = (np.exp(r * dt) - d) / (u - d)
    values = np.array([np.maximum(K - S * u ** j * d ** (steps - j), 0.0) for j in range(steps + 1)])
    for i in range(steps - 1, -1, -1):
        values = np.exp(-r * dt) * (p * values[1:] + (1 - p) * values[:-1])
        if american:
            exercise = np.array([K - S * u ** j * d ** (i - j) for j in range(i + 1)])
            values = np.maximum(values, exercise)
    return values[0]


add(binomial_tree, 1.0, 1.1, 0.3, wrt=(0, 1, 2), notes="lists", holomorphic=False)


def simulate_gbm(S0, mu, sigma, n_steps=4, n_paths=5, seed=7):
    z = np.random.default_rng(seed).standard_normal((n_paths, n_steps))
    dt = 1.0 / n_steps
    steps = (mu - 0.5 * sigma ** 2) * dt + sigma * np.sqrt(dt) * z
    return S0 * np.exp(np.cumsum(steps, axis=1))


def asian_call(S0, sigma, K):
    paths = simulate_gbm(S0, 0.02, sigma)
    payoff = np.maximum(paths.mean(axis=1) - K, 0)
    return payoff.mean() * np.exp(-0.02)


add(asian_call, 1.0, 0.4, 0.9, notes="library constants", holomorphic=False)


class Portfolio:
    """Named weights."""

    def __init__(self, **weights):
        self.weights = OrderedDict(sorted(weights.items())) if False else dict(sorted(weights.items()))

    def __getitem__(self, name):
        return self.weights[name]

    def vector(self):
        return np.array(list(self.weights.values()))

    def volatility(self, cov):
        w = self.vector()
        return np.sqrt(w @ cov @ w)

    def risk_contributions(self, cov):
        w = self.vector()
        return w * (cov @ w) / self.volatility(cov)


COV = M33 @ M33.T + np.eye(3)


def risk_parity_gap(a, b, c):
    p = Portfolio(stocks=a, bonds=b, gold=c)
    rc = p.risk_contributions(COV)
    return np.sum((rc[:, None] - rc[None, :]) ** 2) + p["bonds"] ** 2


add(risk_parity_gap, 0.5, 0.3, 0.2, notes="objects stars lists")


def sharpe(weights, mean, cov):
    return (weights @ mean) / np.sqrt(weights @ cov @ weights)


def tangency(mean, risk_aversion):
    raw = np.linalg.solve(risk_aversion * COV, mean)
    weights = raw / np.sum(raw)
    assert np.isclose(weights.sum(), 1.0), "weights do not add up"
    return sharpe(weights, mean, COV)


add(tangency, P3, 2.0, notes="unreached")


def garch_loglik(omega, alpha, beta):
    returns = V5
    var = np.var(returns)
    total = 0.0
    for r in returns:
        total -= 0.5 * (np.log(2 * np.pi * var) + r ** 2 / var)
        var = omega + alpha * r ** 2 + beta * var
    return total


add(garch_loglik, 0.1, 0.2, 0.6, notes="control")


def historical_var(returns, level=0.75):
    ordered = np.sort(returns)
    k = (1 - level) * (len(ordered) - 1)
    lo, hi = math.floor(k), math.ceil(k)
    return -(ordered[lo] + (k - lo) * (ordered[hi] - ordered[lo]))


def tail_loss(weights, scenarios):
    pnl = scenarios @ weights
    var = historical_var(pnl)
    return var + np.mean(pnl[pnl <= -var] ** 2)


add(tail_loss, V3, np.array([[0.1, -0.2, 0.3], [-0.3, 0.1, 0.2], [0.2, 0.4, -0.1], [-0.5, -0.1, 0.2]]), wrt=(0,),
    notes="constants", holomorphic=False)


def ewma(values, span=None, alpha=None):
    if span is not None and alpha is not None:
        raise TypeError("give span or alpha, not both")
    a = alpha if alpha is not None else 2.0 / (span + 1.0)
    return list(itertools.accumulate(values, lambda acc, x: (1 - a) * acc + a * x))


def crossover(prices):
    fast, slow = ewma(prices, span=2), ewma(prices, alpha=0.2)
    return sum((f - s) ** 2 for f, s in zip(fast, slow, strict=True))


add(crossover, V5, notes="library lists unreached")


def drawdown(log_returns):
    wealth = np.exp(np.cumsum(log_returns))
    peak = np.maximum.accumulate(wealth)
    return np.min(wealth / peak - 1)


add(drawdown, np.array([0.1, -0.2, 0.05, -0.15, 0.3]), notes="rules", holomorphic=False)


def sabr_vol(f, k, t, alpha, beta, rho, nu):
    logfk = np.log(f / k)
    fk = (f * k) ** ((1 - beta) / 2)
    z = nu / alpha * fk * logfk
    x = np.log((np.sqrt(1 - 2 * rho * z + z * z) + z - rho) / (1 - rho))
    correction = 1 + t * ((1 - beta) ** 2 / 24 * alpha ** 2 / fk ** 2 + rho * beta * nu * alpha / 4 / fk
                          + (2 - 3 * rho ** 2) / 24 * nu ** 2)
    ratio = z / x if abs(z) > 1e-10 else 1.0
    return alpha / fk * ratio * correction


PARAMS = dict(t=1.0, beta=0.5)


def sabr_smile(alpha, rho, nu):
    strikes = [0.8, 0.95, 1.1]
    return [sabr_vol(1.0, k, alpha=alpha, rho=rho, nu=nu, **PARAMS) for k in strikes]


def sabr_error(alpha, rho, nu):
    return sum(map(lambda v, m: (v - m) ** 2, sabr_smile(alpha, rho, nu), (0.25, 0.22, 0.21)))


add(sabr_error, 0.2, -0.3, 0.5, notes="stars library lists")


def heston_characteristic(u, kappa, theta, sigma, rho, v0, t=1.0):
    iu = 1j * u
    d = np.sqrt((rho * sigma * iu - kappa) ** 2 + sigma ** 2 * (iu + u ** 2))
    g = (kappa - rho * sigma * iu - d) / (kappa - rho * sigma * iu + d)
    e = np.exp(-d * t)
    c = kappa * theta / sigma ** 2 * ((kappa - rho * sigma * iu - d) * t - 2 * np.log((1 - g * e) / (1 - g)))
    return np.exp(c + v0 / sigma ** 2 * (kappa - rho * sigma * iu - d) * (1 - e) / (1 - g * e))


def heston_digital(kappa, theta, v0):
    u = np.linspace(0.1, 8.0, 20)
    phi = heston_characteristic(u, kappa, theta, 0.4, -0.5, v0)
    return 0.5 + np.trapezoid(np.real(phi * np.exp(0.1j * u) / (1j * u)), u) / np.pi


add(heston_digital, 1.5, 0.04, 0.05, notes="constants", holomorphic=False)


def copula_density(u, v, rho):
    x, y = norm.ppf(u), norm.ppf(v)
    det = 1 - rho ** 2
    return np.exp(-(rho ** 2 * (x ** 2 + y ** 2) - 2 * rho * x * y) / (2 * det)) / np.sqrt(det)


add(copula_density, 0.3, 0.6, 0.4, notes="rules", holomorphic=False)


def student_loss(mu, scale, df):
    data = np.array([0.1, -0.4, 0.9, 0.3])
    return -np.sum(stats.t.logpdf(data, df, loc=mu, scale=scale))


add(student_loss, 0.1, 0.7, 4.0, wrt=(0, 1), notes="rules", holomorphic=False)


def interpolated_curve(rates, t):
    spline = interpolate.CubicSpline(np.array([0.0, 1.0, 2.0, 4.0]), rates)
    return np.exp(-spline(t) * t)


add(interpolated_curve, V4 * 0.1, 1.6, notes="rules", holomorphic=False)


def annuity(rate, n, due=False):
    factors = itertools.accumulate(itertools.repeat(1 / (1 + rate), n), operator.mul)
    total = sum(factors)
    return total * (1 + rate) if due else total


def pension_gap(rate, growth):
    return annuity(rate, 6) - annuity(growth, 4, due=True)


add(pension_gap, 0.04, 0.02, notes="library")


def monte_carlo_delta(S0, sigma):
    def price(S):
        z = np.array([-1.2, -0.3, 0.4, 1.5])
        terminal = S * np.exp(-0.5 * sigma ** 2 + sigma * z)
        return np.mean(np.log1p(np.exp(10 * (terminal - 1)))) / 10
    value, delta = tnb.value_and_grad(price)(S0)
    return value - delta * S0 + delta ** 2


add(monte_carlo_delta, 1.02, 0.3, notes="inner", holomorphic=False)


def kelly(fraction, odds, probs=(0.5, 0.3, 0.2)):
    growth = 0.0
    for p, o in zip(probs, odds, strict=True):
        growth += p * math.log1p(fraction * o)
    return growth


add(kelly, 0.2, np.array([0.8, -0.5, 0.3]), wrt=(0, 1), notes="lists")


@functools.cache
def payment_dates(n, months):
    return tuple((k + 1) * months / 12 for k in range(n))


def floater(rate, spread):
    dates = payment_dates(4, 3)
    accrual = (dates[0], *(b - a for a, b in zip(dates, dates[1:])))
    return sum((rate + spread) * dcf * math.exp(-rate * t) for t, dcf in zip(dates, accrual))


add(floater, 0.03, 0.002, notes="control lists")
_ = A
