// Values as text, where what they are is only known when they come.

/** A plain value as it is written; a list with commas between, anything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return value === undefined ? '' : JSON.stringify(value);
}
