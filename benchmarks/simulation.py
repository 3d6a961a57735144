"""A simulation of 167 lines, written as such programs are: a load on a rope below a drone that is steered.

    from benchmarks.simulation import ARGUMENTS, simulate
    tnb.grad(simulate, ("gains", "stiffness"))(*ARGUMENTS)

SI units throughout. The rope is a chain of nodes with springs and dampers between them; air drags at it, and the ground
holds it. The drone has thrust, a battery and a controller with three gains, which `simulate` gives a cost.
"""
from __future__ import annotations

from typing import Any

import numpy as np

NODES = 6


def norm(v):
    return np.sqrt(np.sum(v * v) + 1e-12)


def wind_at(height, t, gust):
    base = 2.0 * np.log(1.0 + np.maximum(height, 0.0) / 0.5)
    return np.array([base + gust * np.sin(0.7 * t), 0.5 * gust * np.cos(0.3 * t)])


def drag_of(velocity, wind, area):
    relative = velocity - wind
    return -0.5 * 1.2 * area * norm(relative) * relative


class Battery:
    """Its voltage falls with its charge."""

    def __init__(self, charge, resistance):
        self.charge = charge
        self.resistance = resistance

    @property
    def voltage(self):
        return 10.0 + 2.5 * self.charge

    def current(self, power):
        return power / (self.voltage - self.resistance * power / self.voltage)


def simulate(gains, stiffness, mass, goal, gust=1.0, steps=40, dt=0.02):
    kp, ki, kd = gains
    n = NODES
    rest = 0.4
    gravity = np.array([0.0, -9.81])
    damping = 2.0 * np.sqrt(stiffness * mass) * 0.15
    drone_mass = 1.5
    load_mass = 4.0 * mass
    masses = np.ones(n) * mass
    masses[n - 1] = load_mass

    # the rope hangs down from the drone at first
    position = np.zeros((n, 2))
    velocity = np.zeros((n, 2))
    for i in range(n):
        position[i, 0] = 0.02 * i
        position[i, 1] = 6.0 - rest * (i + 1)
    drone = np.array([0.0, 6.0])
    drone_velocity = np.zeros(2)
    summed = np.zeros(2)
    before = goal - drone

    battery = Battery(1.0, 0.05)
    charge = 1.0
    heat = 0.0
    history = []
    tensions = []
    effort = 0.0
    contact = 0.0
    tilt = 0.0

    for step in range(steps):
        t = step * dt

        # the controller
        error = goal - drone
        summed = summed + error * dt
        slope = (error - before) / dt if step > 0 else np.zeros(2)
        before = error
        wanted = kp * error + ki * summed + kd * slope
        wanted = wanted - gravity * (drone_mass + np.sum(masses))
        size = norm(wanted)
        limit = 80.0 * (0.6 + 0.4 * charge)
        if size > limit:
            wanted = wanted * (limit / size)
            size = limit
        angle = np.arctan2(wanted[0], wanted[1])
        tilt = 0.9 * tilt + 0.1 * angle
        thrust = np.array([size * np.sin(tilt), size * np.cos(tilt)])

        # the battery
        power = 4.0 * size ** 1.5 / 10.0
        battery.charge = charge
        current = battery.current(power / 10.0)
        charge = charge - current * dt / 60.0
        heat = heat + battery.resistance * current ** 2 * dt
        effort = effort + power * dt

        # forces along the rope
        force = np.zeros((n, 2))
        on_drone = thrust + drone_mass * gravity
        above = drone
        above_velocity = drone_velocity
        strongest = 0.0
        for i in range(n):
            across = above - position[i]
            length = norm(across)
            along = across / length
            stretch = length - rest
            closing = np.dot(above_velocity - velocity[i], along)
            if stretch > 0.0:
                tension = stiffness * stretch + damping * closing
            else:
                tension = 0.1 * damping * closing
            pull = tension * along
            force[i] += pull
            if i == 0:
                on_drone = on_drone - pull
            else:
                force[i - 1] -= pull
            strongest = strongest if strongest > tension else tension
            above = position[i]
            above_velocity = velocity[i]
        tensions.append(strongest)

        # bending resists kinks
        for i in range(1, n - 1):
            bend = position[i - 1] - 2.0 * position[i] + position[i + 1]
            force[i - 1] -= 0.5 * bend
            force[i] += bend
            force[i + 1] -= 0.5 * bend

        # air, weight and ground
        for i in range(n):
            height = position[i, 1]
            area = 0.004 if i < n - 1 else 0.03
            force[i] += drag_of(velocity[i], wind_at(height, t, gust), area)
            force[i] += masses[i] * gravity
            if height < 0.0:
                depth = -height
                normal = 800.0 * depth - 5.0 * velocity[i, 1]
                normal = max(normal, 0.0)
                friction = 0.4 * normal * np.tanh(velocity[i, 0] / 0.01)
                force[i, 1] += normal
                force[i, 0] -= friction
                contact = contact + depth * dt
        on_drone += drag_of(drone_velocity, wind_at(drone[1], t, gust), 0.05)

        # a step of semi-implicit Euler
        velocity += dt * force / masses[:, None]
        speed = np.sqrt(np.sum(velocity * velocity, axis=1, keepdims=True))
        velocity *= np.where(speed > 30.0, 30.0 / np.maximum(speed, 1.0), 1.0)
        position += dt * velocity
        drone_velocity = drone_velocity + dt * on_drone / drone_mass
        drone = drone + dt * drone_velocity

        # what is looked at later
        if step % 4 == 3:
            swing = position[n - 1] - drone
            history.append({"t": t, "error": norm(goal - drone), "swing": np.arctan2(swing[0], -swing[1])})

    # the cost
    late = 0.0
    swings = []
    for k, row in enumerate(history):
        weight = (k + 1) / len(history)
        late = late + weight * row["error"]
        swings.append(row["swing"])
    swings = np.array(swings)
    sway = np.sqrt(np.mean(swings ** 2))
    strain = np.max(np.array(tensions)) / 100.0
    settled = np.sum((position[n - 1] - goal + np.array([0.0, rest * n])) ** 2)
    kinetic = 0.5 * np.sum(masses[:, None] * velocity ** 2)
    cost = late + 2.0 * sway + 0.1 * strain + 0.5 * settled
    cost += 0.01 * kinetic + 0.001 * effort + 5.0 * contact
    if charge < 0.2:
        cost += 100.0 * (0.2 - charge) ** 2
    if heat > 5.0:
        cost += (heat - 5.0) ** 2
    return cost


ARGUMENTS: tuple[Any, ...] = (np.array([6.0, 0.4, 5.0]), 900.0, 0.08, np.array([1.5, 5.0]))
