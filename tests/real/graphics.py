"""Colour, rays, meshes and curves."""
from __future__ import annotations

import copy
import functools
import itertools
import math
import operator
import typing
import warnings
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
import numpy.typing as npt
from corpus import M33, P3, V2, V3, W3, A, add, section

import tangent_nb as tnb

section("real_graphics")

D65 = np.array([0.95047, 1.0, 1.08883])
RGB_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
RGB = np.array([0.4, 0.03, 0.7])


def _lab_f(t):
    delta = 6 / 29
    out = np.array(t, dtype=float)
    large = out > delta ** 3
    out[large] = np.cbrt(out[large])
    out[~large] = out[~large] / (3 * delta ** 2) + 4 / 29
    return out


def srgb_to_linear(rgb):
    rgb = np.asarray(rgb)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def rgb_to_lab(rgb, whitepoint=D65):
    xyz = RGB_TO_XYZ @ srgb_to_linear(rgb)
    f = _lab_f(xyz / whitepoint)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def delta_e(rgb, other):
    d = rgb_to_lab(rgb) - rgb_to_lab(other)
    return np.sqrt(np.sum(d ** 2))


add(delta_e, RGB, np.array([0.5, 0.2, 0.6]), notes="constants ownership", holomorphic=False)


class ColorSpace:
    """Named, with labels; children convert."""

    def __init__(self, name, labels):
        self.name = name
        self.labels = labels

    def __repr__(self):
        return f"<color space {self.name}>"

    def from_xyz(self, xyz):
        raise NotImplementedError(f"{self!r} cannot convert")


class OKLAB(ColorSpace):
    """Two matrices around a cube root."""

    M1 = np.array([[0.8190, 0.3619, -0.1289], [0.0330, 0.9293, 0.0361], [0.0482, 0.2642, 0.6339]])
    M2 = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])

    def __init__(self):
        super().__init__("OKLAB", ("L", "a", "b"))

    def from_xyz(self, xyz):
        return self.M2 @ np.cbrt(self.M1 @ xyz)


def chroma(xyz):
    space = OKLAB()
    lab = dict(zip(space.labels, space.from_xyz(xyz), strict=True))
    return math.hypot(lab["a"], lab["b"]) + lab["L"]


add(chroma, np.array([0.3, 0.4, 0.2]), notes="objects lists unreached", holomorphic=False)


def rgb_to_hsv(r, g, b):
    maxc, minc = max(r, g, b), min(r, g, b)
    v = maxc
    if minc == maxc:
        return 0.0, 0.0, v
    s = (maxc - minc) / maxc
    rc, gc, bc = ((maxc - c) / (maxc - minc) for c in (r, g, b))
    if r == maxc:
        h = bc - gc
    elif g == maxc:
        h = 2.0 + rc - bc
    else:
        h = 4.0 + gc - rc
    return (h / 6.0) % 1.0, s, v


def hue_shifted(r, g, b):
    h, s, v = rgb_to_hsv(r, g, b)
    return h * s + v ** 2


add(hue_shifted, 0.7, 0.2, 0.4, notes="lists", holomorphic=False)


def normalize(v: npt.NDArray) -> npt.NDArray:
    length = np.sqrt(np.dot(v, v))
    return v / length if length > 0 else v


class Vec3:
    """Three numbers with operators."""

    __slots__ = ("x", "y", "z")

    def __init__(self, x=0.0, y=0.0, z=0.0):
        self.x, self.y, self.z = x, y, z

    def __add__(self, other):
        return Vec3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vec3(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, k):
        return Vec3(self.x * k, self.y * k, self.z * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec3(-self.x, -self.y, -self.z)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    def length(self):
        return math.sqrt(self.dot(self))

    def unit(self):
        return self * (1.0 / self.length())

    def reflect(self, n):
        return self - 2.0 * self.dot(n) * n


@dataclass
class Ray:
    """From here, that way."""

    origin: Vec3
    direction: Vec3

    def at(self, t):
        return self.origin + self.direction * t


class Material(typing.NamedTuple):
    """How a thing looks."""

    albedo: float
    shine: float = 8.0


class Sphere:
    """With the squares kept."""

    def __init__(self, center, radius, material):
        self.center, self.radius, self.material = center, radius, material
        self.inv_radius = 1.0 / radius
        self.square_radius = radius * radius

    def intersect(self, ray):
        oc = ray.origin - self.center
        b = oc.dot(ray.direction)
        c = oc.dot(oc) - self.square_radius
        disc = b * b - c
        if disc < 0:
            return None
        root = math.sqrt(disc)
        for t in (-b - root, -b + root):
            if t > 1e-4:
                return t
        return None

    def normal(self, p):
        return (p - self.center) * self.inv_radius


def shade(ray, sphere, light):
    t = sphere.intersect(ray)
    if t is None:
        return 0.0
    p = ray.at(t)
    n = sphere.normal(p)
    to_light = (light - p).unit()
    diffuse = max(0.0, n.dot(to_light))
    half = (to_light - ray.direction).unit()
    return sphere.material.albedo * diffuse + 0.3 * n.dot(half) ** sphere.material.shine


def pixel(cx, radius, albedo, light_y):
    ball = Sphere(Vec3(cx, 0.1, 3.0), radius, Material(albedo))
    ray = Ray(Vec3(), Vec3(0.05, 0.0, 1.0).unit())
    return shade(ray, ball, Vec3(1.0, light_y, 0.5))


add(pixel, 0.1, 1.0, 0.8, 2.0, notes="objects", holomorphic=False)


def scene(light_y, gap):
    spheres = [Sphere(Vec3(x, 0.0, 3.0 + gap), 0.6, Material(a, shine=4.0)) for x, a in ((-0.5, 0.9), (0.4, 0.5))]
    ray = Ray(Vec3(0.0, 0.2, 0.0), Vec3(0.1, 0.0, 1.0).unit())
    hits = [(s.intersect(ray), s) for s in spheres]
    hits = [(t, s) for t, s in hits if t is not None]
    t, nearest = min(hits, key=lambda hit: hit[0])
    return t + shade(ray, nearest, Vec3(0.2, light_y, 0.0))


add(scene, 1.5, 0.2, notes="objects lists values", holomorphic=False)


def fresnel(cos_i, n1, n2):
    sin_t2 = (n1 / n2) ** 2 * (1 - cos_i ** 2)
    if sin_t2 > 1:
        return 1.0
    cos_t = np.sqrt(1 - sin_t2)
    rs = (n1 * cos_i - n2 * cos_t) / (n1 * cos_i + n2 * cos_t)
    rp = (n2 * cos_i - n1 * cos_t) / (n2 * cos_i + n1 * cos_t)
    return 0.5 * (rs ** 2 + rp ** 2)


add(fresnel, 0.7, 1.0, 1.5, notes="unreached")


def look_at(eye, target, up=(0.0, 1.0, 0.0)):
    forward = normalize(target - eye)
    right = normalize(np.cross(forward, np.asarray(up)))
    true_up = np.cross(right, forward)
    view = np.eye(4)
    view[0, :3], view[1, :3], view[2, :3] = right, true_up, -forward
    view[:3, 3] = -view[:3, :3] @ eye
    return view


def perspective(fov, aspect, near=0.1, far=10.0):
    f = 1.0 / np.tan(fov / 2)
    m = np.zeros((4, 4))
    m[0, 0], m[1, 1] = f / aspect, f
    m[2, 2], m[2, 3] = (far + near) / (near - far), 2 * far * near / (near - far)
    m[3, 2] = -1.0
    return m


def screen_position(eye, fov):
    p = perspective(fov, 1.5) @ look_at(eye, np.zeros(3)) @ np.array([0.3, 0.2, -0.1, 1.0])
    return (p / p[3])[:2]


add(screen_position, np.array([1.0, 0.8, 2.0]), 0.9, notes="ownership")

CUBE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def face_normals(vertices, faces):
    tri = vertices[np.asarray(faces)]
    return np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0])


def mesh_volume(vertices):
    total = 0.0
    for a, b, c in FACES:
        total += np.dot(vertices[a], np.cross(vertices[b], vertices[c])) / 6
    return total


def mesh_energy(vertices):
    area = 0.5 * np.linalg.norm(face_normals(vertices, FACES), axis=1).sum()
    return area + mesh_volume(vertices) ** 2


add(mesh_energy, CUBE + 0.1 * np.arange(12).reshape(4, 3) % 0.7, notes="constants lists", holomorphic=False)


def vertex_normals(vertices, faces=FACES):
    acc = np.zeros_like(vertices)
    normals = face_normals(vertices, faces)
    for n, face in zip(normals, faces):
        for i in face:
            acc[i] += n
    return acc / np.sqrt(np.sum(acc ** 2, axis=1, keepdims=True))


def lambert(vertices):
    light = np.array([0.3, 0.9, 0.5])
    return np.sum(np.maximum(vertex_normals(vertices) @ light, 0.0))


add(lambert, CUBE + 0.1 * np.arange(12).reshape(4, 3) % 0.7, notes="constants lists ownership", holomorphic=False)


def laplacian_smooth(vertices, rounds=2, rate=0.5):
    neighbours = {i: sorted({j for f in FACES if i in f for j in f if j != i}) for i in range(len(vertices))}
    for _ in range(rounds):
        moved = [np.mean([vertices[j] for j in neighbours[i]], axis=0) for i in range(len(vertices))]
        vertices = vertices + rate * (np.array(moved) - vertices)
    return vertices


def smoothed_spread(vertices):
    return np.var(laplacian_smooth(vertices))


add(smoothed_spread, CUBE * 1.3, notes="lists constants")


def de_casteljau(points, t):
    points = list(points)
    while len(points) > 1:
        points = [(1 - t) * a + t * b for a, b in zip(points, points[1:])]
    return points[0]


def curve_point(control, t):
    return np.sum(de_casteljau(control, t) ** 2)


add(curve_point, np.array([[0.0, 0.1], [0.4, 1.0], [0.9, 0.3], [1.2, 0.8]]), 0.35, notes="lists")


def bernstein(n, k, t):
    return math.comb(n, k) * t ** k * (1 - t) ** (n - k)


def curve_length(control, pieces=6):
    ts = np.linspace(0, 1, pieces + 1)
    n = len(control) - 1
    basis = np.array([[bernstein(n, k, t) for k in range(n + 1)] for t in ts])
    return np.linalg.norm(np.diff(basis @ control, axis=0), axis=1).sum()


add(curve_length, np.array([[0.0, 0.1], [0.4, 1.0], [0.9, 0.3], [1.2, 0.8]]), wrt=(0,), notes="lists constants",
    holomorphic=False)


def cox_de_boor(t, i, p, knots):
    if p == 0:
        return 1.0 if knots[i] <= t < knots[i + 1] else 0.0
    left = right = 0.0
    if knots[i + p] != knots[i]:
        left = (t - knots[i]) / (knots[i + p] - knots[i]) * cox_de_boor(t, i, p - 1, knots)
    if knots[i + p + 1] != knots[i + 1]:
        right = (knots[i + p + 1] - t) / (knots[i + p + 1] - knots[i + 1]) * cox_de_boor(t, i + 1, p - 1, knots)
    return left + right


def bspline(control, t):
    knots = [0, 0, 0, 1, 2, 2, 2]
    return sum(c * cox_de_boor(t, i, 2, knots) for i, c in enumerate(control))


add(bspline, np.array([0.3, 1.1, -0.4, 0.8]), 0.7, notes="control lists")


class Blend(Enum):
    """Modes of layers."""

    NORMAL = auto()
    MULTIPLY = auto()
    SCREEN = auto()


BLENDS = {
    Blend.NORMAL: lambda a, b: b,
    Blend.MULTIPLY: operator.mul,
    Blend.SCREEN: lambda a, b: 1 - (1 - a) * (1 - b),
}


def composite(base, layer, opacity):
    for mode in Blend:
        base = (1 - opacity) * base + opacity * BLENDS[mode](base, layer)
    return np.sum(base * P3)


add(composite, RGB, W3, 0.3, notes="values library")


def tone_map(x, operator_="aces", **kw):
    operators = {
        "reinhard": lambda x, white=2.0: x * (1 + x / white ** 2) / (1 + x),
        "aces": lambda x, a=2.51, b=0.03: x * (a * x + b) / (x * (2.43 * x + 0.59) + 0.14),
    }
    if operator_ not in operators:
        raise ValueError(f"{operator_!r} is none of {', '.join(operators)}")
    return operators[operator_](x, **kw)


def exposed(rgb, exposure):
    return np.sum(tone_map(rgb * exposure) + tone_map(rgb, "reinhard", white=exposure))


add(exposed, RGB, 1.7, notes="values stars unreached")


def sdf_sphere(p, r):
    return np.sqrt(p @ p) - r


def sdf_box(p, half):
    q = np.abs(p) - half
    return np.linalg.norm(np.maximum(q, 0)) + np.minimum(np.max(q), 0.0)


def smooth_union(k, *shapes):
    return lambda p: -np.log(sum(np.exp(-k * s(p)) for s in shapes)) / k


def sdf_scene(p, r):
    world = smooth_union(6.0, lambda q: sdf_sphere(q - 0.3, r), lambda q: sdf_box(q, np.array([0.2, 0.3, 0.1])))
    return world(p) ** 2


add(sdf_scene, V3, 0.4, notes="stars values", holomorphic=False)


def sdf_normal(p, r):
    def field(p):
        return np.sqrt(p @ p + 0.01) - r + 0.1 * np.sin(5 * p[0])
    n = tnb.grad(field)(p)
    return n / np.sqrt(n @ n)


def lit(p, r):
    return np.maximum(sdf_normal(p, r) @ np.array([0.5, 0.5, 0.7]), 0.1) + r


add(lit, P3, 0.4, notes="inner", holomorphic=False)


def ray_march(direction, r, max_steps=40):
    t = 0.0
    for step in range(max_steps):
        d = sdf_sphere(np.array([0.0, 0.1, -2.0]) + t * direction, r)
        t = t + d
        if d < 1e-13:
            break
    else:
        warnings.warn(f"no hit after {step} steps")
    return t


def march_depth(tilt, r):
    return ray_march(normalize(np.array([tilt, 0.0, 1.0])), r)


add(march_depth, 0.1, 0.8, notes="unreached control", orders=1)


def mandelbrot_distance(cx, cy, n=6):
    zx = zy = 0.0
    dx, dy = 0.0, 0.0
    for _ in range(n):
        dx, dy = 2 * (zx * dx - zy * dy) + 1, 2 * (zx * dy + zy * dx)
        zx, zy = zx * zx - zy * zy + cx, 2 * zx * zy + cy
    r2 = zx * zx + zy * zy
    return math.sqrt(r2 / (dx * dx + dy * dy)) * math.log(r2 + 1)


add(mandelbrot_distance, 0.3, 0.5, wrt=(0, 1), notes="control")


def fade(t):
    return t ** 3 * (t * (t * 6 - 15) + 10)


GRADIENTS = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


def lattice_hash(ix, iy):
    return (ix * 374761393 + iy * 668265263) & 3


def perlin(x, y):
    ix, iy = math.floor(x), math.floor(y)
    fx, fy = x - ix, y - iy
    def corner(i, j):
        gx, gy = GRADIENTS[lattice_hash(ix + i, iy + j)]
        return gx * (fx - i) + gy * (fy - j)
    u, v = fade(fx), fade(fy)
    bottom = corner(0, 0) + u * (corner(1, 0) - corner(0, 0))
    top = corner(0, 1) + u * (corner(1, 1) - corner(0, 1))
    return bottom + v * (top - bottom)


def fractal_noise(x, y, octaves=3):
    return sum(0.5 ** k * perlin(x * 2 ** k, y * 2 ** k) for k in range(octaves))


add(fractal_noise, 0.37, 1.22, wrt=(0, 1), notes="constants lists", holomorphic=False)


class Transform:
    """A stack of matrices with a fluent interface."""

    def __init__(self, matrix=None):
        self.matrix = np.eye(3) if matrix is None else matrix

    def translate(self, dx, dy):
        return Transform(self.matrix @ np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]]))

    def rotate(self, angle):
        c, s = np.cos(angle), np.sin(angle)
        return Transform(self.matrix @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))

    def scale(self, sx, sy=None):
        sy = sx if sy is None else sy
        return Transform(self.matrix @ np.diag([sx, sy, 1]))

    def __call__(self, point):
        return (self.matrix @ np.append(point, 1))[:2]


def sprite(angle, size, at):
    t = Transform().translate(*at).rotate(angle).scale(size)
    return np.sum(t(V2) ** 2)


add(sprite, 0.4, 1.3, V2, notes="objects stars values")


class Camera:
    """A copy with changes is another camera."""

    def __init__(self, focal, center=(0.5, 0.5)):
        self.focal = focal
        self.center = np.array(center)
        self.distortion = [0.1, -0.05]

    def moved(self, **changes):
        other = copy.deepcopy(self)
        other.__dict__.update(changes)
        return other

    def project(self, p):
        xy = p[:2] / p[2]
        r2 = xy @ xy
        factor = 1 + sum(k * r2 ** (i + 1) for i, k in enumerate(self.distortion))
        return self.focal * factor * xy + self.center


def parallax(focal, zoom):
    left = Camera(focal)
    right = Camera(zoom * focal, center=(0.4, 0.5))
    p = np.array([0.3, -0.2, 1.5])
    return np.sum((left.project(p) - right.project(p)) ** 2)


add(parallax, 1.2, 1.5, notes="objects stars")


def barycentric(p, tri):
    a, b, c = tri
    v0, v1, v2 = b - a, c - a, p - a
    den = v0[0] * v1[1] - v1[0] * v0[1]
    v = (v2[0] * v1[1] - v1[0] * v2[1]) / den
    w = (v0[0] * v2[1] - v2[0] * v0[1]) / den
    return 1 - v - w, v, w


def soft_raster(tri, colours):
    total = np.zeros(3)
    for px in itertools.product((0.2, 0.5, 0.8), repeat=2):
        weights = barycentric(np.array(px), tri)
        cover = functools.reduce(operator.mul, (1 / (1 + np.exp(-8 * w)) for w in weights))
        total = total + cover * sum(w * col for w, col in zip(weights, colours))
    return np.sum(total ** 2)


add(soft_raster, np.array([[0.1, 0.1], [0.9, 0.2], [0.4, 0.9]]), M33, notes="library lists")


def palette_distance(rgb):
    palette = {"red": (1, 0, 0), "olive": (0.5, 0.5, 0), "sky": (0.5, 0.8, 0.9)}
    def distance(name):
        return np.sum((rgb - np.array(palette[name])) ** 2)
    best = min(palette, key=distance)
    return distance(best)


add(palette_distance, RGB, notes="values lists", holomorphic=False)


def in_gamut(rgb, *, strict=False):
    if strict and not all(0 <= c <= 1 for c in rgb):
        raise ValueError(f"out of gamut: {rgb}")
    return np.clip(rgb, 0.0, 1.0)


def white_balance(rgb, gains):
    out = in_gamut(rgb, strict=True) * gains
    return out / out.sum()


add(white_balance, np.array([0.4, 0.3, 0.7]), np.array([1.1, 0.9, 1.3]), notes="unreached library", holomorphic=False)
_ = A
