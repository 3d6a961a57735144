import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Answer } from "../src/host";
import { DOUBT_MS, KernelHost, PATIENCE_MS } from "../src/kernel";
import { FakeModel } from "./help";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

function hosted(): { model: FakeModel; host: KernelHost; element: HTMLElement } {
  const model = new FakeModel({});
  const element = document.createElement("div");
  return { model, host: new KernelHost(model, element), element };
}

describe("the kernel", () => {
  test.each<[object, Answer]>([
    [{ kind: "done" }, { kind: "done" }],
    [{ kind: "failed", text: "no" }, { kind: "failed", text: "no" }],
    [{ kind: "taken", text: "import os" }, { kind: "taken", text: "import os" }],
    [{ kind: "exported", html: "<p>" }, { kind: "exported", html: "<p>" }],
  ])("answers %j", async (message, answer) => {
    const { model, host } = hosted();
    const asked = host.ask({ kind: "again" });
    model.reply({ ...message, id: model.last.id });
    await expect(asked).resolves.toEqual(answer);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is asked with ids that count up", () => {
    const { model, host } = hosted();
    void host.ask({ kind: "use" });
    void host.ask({ kind: "export" });
    expect(model.sent).toEqual([{ kind: "use", id: model.sent[0]!.id }, { kind: "export", id: model.sent[0]!.id + 1 }]);
  });

  test("that is silent is given up after a while, and what it says then is not heard", async () => {
    const { model, host } = hosted();
    const heard = vi.fn();
    const asked = host.ask({ kind: "again" }).then(heard);
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    await Promise.resolve();
    expect(heard).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await asked;
    expect(heard).toHaveBeenCalledExactlyOnceWith({ kind: "silent" });
    model.reply({ kind: "failed", text: "late", id: model.last.id });
    await Promise.resolve();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test("that answers something is there: what was asked behind that has as long again", async () => {
    const { model, host } = hosted();
    const heard = vi.fn();
    void host.ask({ kind: "take" });
    const asked = host.ask({ kind: "again" }).then(heard);
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    model.reply({ kind: "taken", text: "", id: model.sent[0]!.id });
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    await Promise.resolve();
    expect(heard).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await asked;
    expect(heard).toHaveBeenCalledExactlyOnceWith({ kind: "silent" });
  });

  test.each([
    ["another view's", { kind: "done", id: 1 }], ["no id", { kind: "done" }], ["id as text", { kind: "done", id: "1" }],
    ["nothing", null], ["a text", "done"],
  ])("answers of no concern: %s", async (_, message) => {
    const { model, host } = hosted();
    const heard = vi.fn();
    const asked = host.ask({ kind: "again" }).then(heard);
    model.reply(message);
    model.reply({ kind: "failed", text: 3, id: model.last.id });
    model.reply({ kind: "exported", id: model.last.id });
    model.reply({ kind: "unknown", id: model.last.id });
    await Promise.resolve();
    expect(heard).not.toHaveBeenCalled();
    vi.advanceTimersByTime(PATIENCE_MS);
    await asked;
  });

  test("that goes ends what was asked at once", async () => {
    const { model, host } = hosted();
    const changed = vi.fn();
    host.onState(changed);
    const asked = host.ask({ kind: "again" });
    model.comm_live = false;
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    await expect(asked).resolves.toEqual({ kind: "silent" });
    expect(host.reach()).toBe("gone");
    expect(changed).toHaveBeenCalled();
    await expect(host.ask({ kind: "use" })).resolves.toEqual({ kind: "silent" });
    expect(model.sent).toHaveLength(1);
  });

  test("is seen to be gone by the widget manager's mark", () => {
    const { host, element } = hosted();
    expect(host.reach()).toBe("live");
    element.className = "jupyter-widgets-disconnected";
    expect(host.reach()).toBe("gone");
  });

  test("is in doubt where the front end keeps comm_live to itself, until it is heard", async () => {
    const { model, host } = hosted();
    const asked = host.ask({ kind: "again" });
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    await expect(asked).resolves.toEqual({ kind: "silent" });
    expect(host.reach()).toBe("doubtful");
    const again = host.ask({ kind: "again" });
    model.reply({ kind: "done", id: model.last.id });
    await expect(again).resolves.toEqual({ kind: "done" });
    expect(host.reach()).toBe("live");
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    model.set({});
    expect(host.reach()).toBe("live");
  });

  test("that is in doubt and does not say that it is there is gone, until it is heard", async () => {
    const { model, host } = hosted();
    const changed = vi.fn();
    host.onState(changed);
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    expect(host.reach()).toBe("doubtful");
    expect(model.last).toMatchObject({ kind: "helper" });
    vi.advanceTimersByTime(DOUBT_MS + 1);
    expect(host.reach()).toBe("gone");
    expect(changed).toHaveBeenCalledTimes(2);
    await expect(host.ask({ kind: "use" })).resolves.toEqual({ kind: "silent" });
    model.reply({ kind: "failed", id: model.last.id, text: "late" });
    expect(host.reach()).toBe("live");
    expect(changed).toHaveBeenCalledTimes(3);
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    model.reply({ kind: "failed", id: model.last.id, text: "at once" });
    vi.advanceTimersByTime(DOUBT_MS + 1);
    expect(host.reach()).toBe("live");
  });

  test("whose comm throws is silent", async () => {
    const { model, host } = hosted();
    model.throws = true;
    await expect(host.ask({ kind: "use" })).resolves.toEqual({ kind: "silent" });
  });

  test("is let go of in the end", async () => {
    const { model, host } = hosted();
    const asked = host.ask({ kind: "use" });
    host.dispose();
    await expect(asked).resolves.toEqual({ kind: "silent" });
    expect(model.listeners()).toBe(0);
  });
});
