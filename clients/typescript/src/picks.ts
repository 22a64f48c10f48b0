/** Answers from choices: built, and checked by the server's own rules before they are sent (000-21, 000-22, 000/R1). */

import type { Bounds, Choice, Fault, Prompt } from './generated/wire.ts';
import type { Json, PickInput } from './types.ts';

/** Whatever has choices: a request, or a choice with choices of its own. */
export type Choosable = Bounds & { readonly choices?: readonly Choice[] };

/** The answer to a `select`. */
export type Answer = { readonly title: string; readonly selection: readonly Json[] };

/** An answer that can be sent, or every reason why it cannot. */
export type Picked =
  { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly faults: readonly Fault[] };

/** A fault in words. */
export function faultText(fault: Fault): string {
  return fault.template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = fault.args?.[name];
    return value === undefined ? whole : typeof value === 'string' ? value : JSON.stringify(value);
  });
}

const fault = (code: string, template: string, args?: Record<string, unknown>): Fault =>
  args ? { code, template, args } : { code, template };

/** How few and how many of the choices are to be picked. */
export function boundsOf(of: Choosable): [min: number, max: number] {
  // As the server counts: what cannot be had is not there.
  const all = (of.choices ?? []).filter((choice) => !choice.extra && !choice.whyNot).length;
  const { min, max, count } = of;
  const [low, high] = count != null ? [count, count] : min == null && max == null ? [1, 1] : [min ?? 0, max ?? all];
  return [Math.min(low, all), Math.min(high, all)];
}

/** Why a choice cannot be picked beside those that are; nothing where it can. For greying out, and saying why. */
export function whyNot(of: Choosable, choice: Choice, picked: readonly Choice[] = []): Fault | undefined {
  if (choice.whyNot) return choice.whyNot;
  if (picked.includes(choice)) return undefined;
  const together = [...picked, choice];
  const counted = together.filter((each) => !each.extra).length;
  if (counted > 1 && together.some((each) => each.exclusive)) {
    return fault('exclusive', 'Exclusive choice mixed with other choices');
  }
  const [min, max] = boundsOf(of);
  if (!choice.extra && counted > max) return tooMany(min, max, counted);
  return undefined;
}

const tooMany = (min: number, max: number, got: number): Fault =>
  fault('count', 'Invalid number of options selected: expected {min}-{max}, got {got}', { min, max, got });

interface Item {
  title: string;
  id: string | undefined;
  inner: readonly PickInput[] | undefined;
}

function item(pick: PickInput): Item {
  if (typeof pick === 'string') return { title: pick, id: undefined, inner: undefined };
  const inner = 'selection' in pick ? pick.selection : undefined;
  return { title: pick.title ?? pick.id ?? '', id: pick.id, inner };
}

function fits(choice: Choice, { title, id }: Item): boolean {
  return choice.id !== undefined && id !== undefined ? choice.id === id : choice.title === title;
}

/** One level of choices: what is written for each pick, and what is wrong. */
function level(of: Choosable, picks: readonly PickInput[], faults: Fault[]): Json[] {
  const choices = of.choices ?? [];
  const items = picks.map(item);
  const used = new Set<Choice>();
  const found = new Map<Item, Choice>();
  // A pick that is one of the choices means that one; then those with an id; a bare title takes what is left.
  const kinds = [
    (n: number) => choices.includes(picks[n] as Choice),
    (n: number) => items[n]!.id !== undefined,
    () => true,
  ];
  for (const [kind, isOfKind] of kinds.entries()) {
    items.forEach((each, n) => {
      if (found.has(each) || !isOfKind(n)) return;
      const choice = choices.find((one) => !used.has(one) && (kind === 0 ? one === picks[n] : fits(one, each)));
      if (choice) {
        used.add(choice);
        found.set(each, choice);
      }
    });
  }
  let counted = 0;
  let exclusive = false;
  const written = items.map((each): Json => {
    const choice = found.get(each);
    if (!choice) {
      counted += 1;
      faults.push(fault('unknown_choice', "Selection {choice} didn't exist in the choices", { choice: each.title }));
      return each.title;
    }
    if (choice.whyNot) {
      const args = { choice: choice.title, why: faultText(choice.whyNot), reason: choice.whyNot.code };
      faults.push(fault('illegal_choice', '{choice} cannot be chosen: {why}', args));
    }
    counted += choice.extra ? 0 : 1;
    exclusive ||= choice.exclusive ?? false;
    return named(choice, each.inner ?? [], faults);
  });
  if (exclusive && counted > 1) faults.push(fault('exclusive', 'Exclusive choice mixed with other choices'));
  const [min, max] = boundsOf(of);
  if (counted < min || counted > max) faults.push(tooMany(min, max, counted));
  return written;
}

/** A pick as the answer names it: a bare title where that is enough. */
function named(choice: Choice, inner: readonly PickInput[], faults: Fault[]): Json {
  const id: Record<string, Json> = choice.id === undefined ? {} : { id: choice.id };
  if (choice.choices?.length) return { title: choice.title, ...id, selection: level(choice, inner, faults) };
  if (inner.length > 0)
    faults.push(fault('unknown_choice', "Selection {choice} didn't exist in the choices", { choice: choice.title }));
  return choice.id === undefined ? choice.title : { title: choice.title, ...id };
}

/**
 * The answer that picks these from a request, or why it cannot be.
 *
 * A pick is a title, one of the request's own choices, `{title, id}` where titles repeat, or
 * `{title, selection: […]}` for a choice with choices of its own.
 */
export function pickOf(request: Prompt, ...picks: readonly PickInput[]): Picked {
  if (request.type === 'action') {
    return {
      ok: false,
      faults: [fault('free_form', 'this request has no choices: send what the game asks for with submit')],
    };
  }
  const faults: Fault[] = [];
  const selection = level(request, picks, faults);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, answer: { title: request.title, selection } };
}

/**
 * Milliseconds until time runs out for a request, not below 0; nothing where there is no clock.
 *
 * `clockOffset` is the server's clock minus this one's, as `Api.clockOffset()` finds it.
 */
export function deadline(request: Prompt, clockOffset = 0, now: number = Date.now()): number | undefined {
  return request.deadlineTs === undefined ? undefined : Math.max(0, request.deadlineTs - (now + clockOffset));
}

/** The seats in a set, such as `outcome.winners`: bit n stands for seat n. */
export function seatsOf(set: number): number[] {
  return Array.from({ length: 15 }, (_, seat) => seat).filter((seat) => set & (1 << seat));
}
