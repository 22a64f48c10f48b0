// A finished game in Tenhou's notation, as the server writes it: one file for each round.

export interface RoundFile {
  readonly title: readonly string[];
  readonly name: readonly string[];
  readonly rule: Readonly<Record<string, unknown>>;
  readonly log: readonly unknown[];
}

/** The rounds of a match that is over, with the players' names; nothing, where they cannot be had. */
export async function roundFiles(id: string, names: readonly string[]): Promise<RoundFile[] | undefined> {
  try {
    const answer = await fetch(`/matches/${encodeURIComponent(id)}/log?as=tenhou6`);
    if (!answer.ok) return undefined;
    const lines = (await answer.text()).split('\n').filter(Boolean);
    return lines.map((line) => ({ ...(JSON.parse(line) as RoundFile), name: names }));
  } catch {
    return undefined;
  }
}

/** All rounds in one file, as reviewers read them. */
export const wholeGame = (files: readonly RoundFile[]): string =>
  JSON.stringify({ ...files[0], log: files.flatMap((file) => file.log) });

/** A page that shows one round. */
export const roundLink = (file: RoundFile): string =>
  `https://tenhou.net/6/#json=${encodeURIComponent(JSON.stringify(file))}`;
