/** A file that the page names as a step of a way. */
export interface Hop {
  readonly file: string;
  /** The calls by which the hop is reached, where no import shows it. */
  readonly calls: readonly string[];
  /** The hop that leads here; undefined for the first of a way. */
  readonly from: string | undefined;
}

/** The steps of the page's lists: what is indented is reached from the line above, the rest from the step before. */
export function hopsOf(page: string): readonly Hop[] {
  const hops: Hop[] = [];
  let step: string | undefined;
  for (const line of page.split('\n')) {
    const [, indent, file, text] = /^( *)(?:\d+\.|-) `(src\/[\w./]+\.ts)`(.*)$/.exec(line) ?? [];
    if (file === undefined || indent === undefined || text === undefined) {
      // What is indented goes on with the line above; other text ends a list.
      if (/^\S/.test(line)) step = undefined;
      continue;
    }
    const calls = [...text.matchAll(/`(\w+)\(\)`/g)].flatMap((match) => match[1] ?? []);
    hops.push({ file, calls, from: step });
    if (indent === '') step = file;
  }
  return hops;
}

/** The files of the page's tables of groups: a folder, then the names of files in it. */
export function groupedFiles(page: string): readonly string[] {
  return [...page.matchAll(/^\| `(src\/[\w/]+\/)` \| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, folder, names]) =>
    [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => `${folder}${name}.ts`),
  );
}

/** One part of the page, from its heading to the next of the same level. */
export function sectionOf(page: string, title: string): string {
  return page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
}
