/** JSON Patch (RFC 6902), as far as the server speaks it: add, remove, replace. What is not touched is shared. */

/** Why a patch could not be applied. */
export class PatchError extends Error {}

interface Op {
  op: string;
  path: string;
  value?: unknown;
}

function tokens(path: string): string[] {
  if (path === '') return [];
  if (!path.startsWith('/')) throw new PatchError(`${path} is no JSON pointer`);
  return path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function place(items: unknown[], token: string, most: number): number {
  const index = /^(0|[1-9][0-9]*)$/.test(token) ? Number(token) : -1;
  if (index < 0 || index > most) throw new PatchError(`there is no place ${token} in a list of ${items.length}`);
  return index;
}

function inList(items: unknown[], op: Op, token: string): unknown[] {
  const copy = items.slice();
  if (op.op === 'add') copy.splice(token === '-' ? copy.length : place(items, token, items.length), 0, op.value);
  else if (op.op === 'remove') copy.splice(place(items, token, items.length - 1), 1);
  else copy[place(items, token, items.length - 1)] = op.value;
  return copy;
}

function inMap(map: Record<string, unknown>, op: Op, token: string): Record<string, unknown> {
  if (op.op !== 'add' && !Object.hasOwn(map, token)) throw new PatchError(`there is no ${token} to ${op.op}`);
  const copy = { ...map };
  if (op.op === 'remove') delete copy[token];
  else copy[token] = op.value;
  return copy;
}

function apply(value: unknown, op: Op, path: readonly string[], at: number): unknown {
  const token = path[at];
  if (token === undefined) {
    if (op.op === 'remove') throw new PatchError('the whole cannot be removed');
    return op.value;
  }
  // It would reach behind the object instead of into it.
  if (token === '__proto__') throw new PatchError('__proto__ is no name');
  const last = at === path.length - 1;
  if (Array.isArray(value)) {
    if (last) return inList(value, op, token);
    const index = place(value, token, value.length - 1);
    const copy = value.slice();
    copy[index] = apply(value[index], op, path, at + 1);
    return copy;
  }
  if (value === null || typeof value !== 'object') throw new PatchError(`nothing can be inside ${op.path}`);
  const map = value as Record<string, unknown>;
  if (last) return inMap(map, op, token);
  if (!Object.hasOwn(map, token)) throw new PatchError(`there is no ${token} on the way to ${op.path}`);
  return { ...map, [token]: apply(map[token], op, path, at + 1) };
}

/** The view after these changes; throws `PatchError` where one does not fit. The old view stays as it was. */
export function patched(view: unknown, ops: readonly unknown[]): unknown {
  let now = view;
  for (const each of ops) {
    const op = each as Op;
    if (typeof op?.path !== 'string' || !['add', 'remove', 'replace'].includes(op.op)) {
      throw new PatchError(`a change is add, remove or replace, not ${JSON.stringify(op?.op)}`);
    }
    now = apply(now, op, tokens(op.path), 0);
  }
  return now;
}

/** Every place at which two values differ, as JSON pointers; shared parts are not looked into. */
export function changed(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return [];
  const inside = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';
  if (!inside(before) || !inside(after) || Array.isArray(before) !== Array.isArray(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const both = Object.hasOwn(before, key) && Object.hasOwn(after, key);
    return both ? changed(before[key], after[key], here) : [here];
  });
}
