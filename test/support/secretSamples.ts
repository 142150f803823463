import fc from 'fast-check';

/** A rule of the corpus: gitleaks' regular expression in the syntax of RE2. */
export interface CorpusRule {
  readonly id: string;
  readonly regex: string;
}

/** Texts that a rule finds, one of each seed; none where its expression has no counterpart that can be generated. */
export function samplesOf(rule: CorpusRule, seeds: readonly number[]): readonly string[] {
  try {
    // To read the expression takes longer than to draw a text of it.
    const texts = fc.stringMatching(new RegExp(`^(?:${javascript(rule.regex)})$`));
    return seeds.flatMap((seed) => fc.sample(texts, { numRuns: 1, seed }));
  } catch {
    return [];
  }
}

function javascript(regex: string): string {
  return (
    regex
      .replaceAll('[[:alnum:]]', '[A-Za-z0-9]')
      .replaceAll('(?s:.)', '[a-z \\n]')
      .replace(/\(\?-?[is]+:/g, '(?:')
      .replace(/\(\?-?[is]+\)/g, '')
      .replace(/\(\?P<\w+>/g, '(')
      .replaceAll('\\x60', '`')
      .replaceAll('\\z', '')
      .replace(/\\b/g, '')
      // A machine draws the letters of a class alike; a generator by ranges would draw mostly dashes.
      .replace(/\[((?:[a-zA-Z]-[a-zA-Z]|0-9|\\w|[-+_=./%\\])+)\]/g, (whole: string, inside: string) =>
        /a-z|A-Z|\\w/.test(inside)
          ? `[${inside.replaceAll('\\w', 'a-zA-Z0-9').replace(/[_=+./%\\]|-$|-(?=[_=+./%\\])/g, '')}]`
          : whole,
      )
      // What leads to the name of a service.
      .replaceAll('[\\w.-]{0,50}?', '')
      .replaceAll('[\\s\\S-]{64,}?', '[A-Za-z0-9+/]{64,90}\\n')
      .replaceAll('|$)', '|)')
  );
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const classes: Readonly<Record<string, string>> = {
  a: lower + digits,
  A: lower.toUpperCase() + '234567',
  B: lower + lower.toUpperCase() + digits,
  h: '0123456789abcdef',
  d: digits,
  w: `${lower}${lower.toUpperCase()}${digits}`,
  '/': `${lower}${lower.toUpperCase()}${digits}+/`,
};

/**
 * Kinds of secrets, as `beginning<class:count>…`. The beginnings are in two parts, so that no scanner takes this file
 * for one that holds keys.
 */
export const secretKinds: readonly string[] = [
  'gh|p_<B:36>', 'gh|o_<B:36>', 'gh|s_<B:36>', 'github|_pat_<B:22>_<B:59>', 'gl|pat-<B:20>', 'gl|rt-<B:20>', 'gl|dt-<B:20>',
  'gl|ptt-<h:40>', 'npm|_<B:36>', 'pypi|-AgEIcHlwaS5vcmc<B:100>', 'rubygems|_<h:48>', 'dckr|_pat_<B:27>', 'AKC|p<B:69>',
  'PMAK|-<h:24>-<h:34>', 'pul|-<h:40>', 'rdme|_<a:70>', 'sgp|_<h:40>', 'lin|_api_<B:40>', 'ntn|_<d:11><B:35>', 'dp|.pt.<B:43>',
  'AK|IA<A:16>', 'AS|IA<A:16>', 'AI|za<B:35>', 'ya|29.<B:60>', 'GOC|SPX-<B:28>', 'dop|_v1_<h:64>', 'HRKU|-AA<B:58>', 'fo|1_<B:43>',
  'pscale|_tkn_<B:43>', 'sbp|_<h:40>', 'dapi|<h:32>', 'hv|s.<B:95>', 'tskey|-auth-<B:12>-<B:32>', 'AGE-SECRET|-KEY-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE',
  'sk|-proj-<B:74>T3BlbkFJ<B:74>', 'sk|-<B:20>T3BlbkFJ<B:20>', 'sk|-ant-api03-<B:93>AA', 'gsk|_<B:52>', 'hf|_<w:34>', 'pplx|-<B:48>',
  'r8|_<B:37>', 'nvapi|-<B:64>', 'sk|_live_<B:24>', 'rk|_live_<B:24>', 'sk|_test_<B:99>', 'whsec|_<B:32>', 'sq0|atp-<B:22>', 'shp|at_<h:32>',
  'shp|ss_<h:32>', 'EZ|AK<B:54>', 'xox|b-<d:12>-<d:12>-<B:24>', 'xox|p-<d:12>-<d:12>-<d:12>-<B:32>', 'xapp|-1-A<d:10>-<d:13>-<h:64>',
  'SG|.<B:22>.<B:43>', 'xkey|sib-<h:64>-<a:16>', 'glsa|_<B:32>_<h:8>', 'NR|AK-<A:27>', 'dt|0c01.<A:24>.<A:64>', 'sq|p_<h:40>', 'ATATT|3<B:186>',
  'ey|J<B:33>.eyJ<B:60>.<B:43>', 'SK|<h:32>', 'AQ|VN<B:36>', 'key|-<h:32>', 'sk|.eyJ<B:60>.<B:22>',
]; // prettier-ignore

/** The secret of a number, the same each time: its kind by turns, its characters by a generator of its own. */
export function drawnSecret(number: number): { readonly kind: string; readonly secret: string } {
  const kind = (secretKinds[number % secretKinds.length] ?? '').replace('|', '');
  return { kind: kind.replace(/<.*/, ''), secret: drawnOf(kind, number) };
}

/** A text of a form `beginning<class:count>…`, the same each time; `<u:1>` is a UUID. */
export function drawnOf(form: string, number: number): string {
  let state = (number + 1) * 2654435761;
  const draw = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const spelled = form.replaceAll('<u:1>', '<h:8>-<h:4>-<h:4>-<h:4>-<h:12>');
  return spelled.replace(/<(.):(\d+)>/g, (_, name: string, count: string) => {
    const alphabet = classes[name] ?? '';
    return Array.from({ length: Number(count) }, () => alphabet[draw(alphabet.length)]).join('');
  });
}

export const surroundings: readonly ((secret: string) => string)[] = [
  (one) => one,
  (one) => `KEY=${one}\nOTHER=1\n`,
  (one) => `export KEY='${one}'`,
  (one) => JSON.stringify({ a: 1, key: one, b: [2] }),
  (one) => JSON.stringify(JSON.stringify({ text: `line\n${one}\nmore` })),
  (one) => `const client = new Client("${one}", { retries: 3 });`,
  (one) => `key: ${one} # in YAML\n`,
  (one) => `curl -H "Authorization: Bearer ${one}" https://example.com/`,
  (one) => `https://example.com/hook?key=${one}&page=2`,
  (one) => `| name | value |\n|---|---|\n| key | \`${one}\` |`,
  (one) => `<string name="key">${one}</string>`,
  (one) => `12\tkey = ${one},\n13\t}`,
  (one) => `Error: 401 for key (${one}).`,
];
