export interface Quality {
  /** From 0 (nothing usable) to 1. */
  readonly score: number;
  readonly warnings: readonly string[];
  /** What to do instead, where something is wrong. */
  readonly suggestion?: string;
}

interface Sign {
  readonly warning: string;
  readonly cost: number;
  readonly suggestion: string;
  holds(page: Signals): boolean;
}

interface Signals {
  readonly source: string;
  readonly text: string;
  readonly words: number;
  readonly title: string;
}

const signs: readonly Sign[] = [
  {
    warning: 'bot check',
    cost: 0.9,
    suggestion: 'the site asks visitors to prove that they are people; ask the user to open the page',
    holds: ({ source, title, words }) =>
      words < 400 &&
      (/^(?:just a moment|attention required|access denied|are you a robot)/i.test(title) ||
        /cf-chl-|captcha-delivery|g-recaptcha|h-captcha|verify (?:that )?you are (?:a )?human/i.test(source)),
  },
  {
    warning: 'needs JavaScript',
    cost: 0.7,
    suggestion: 'the page builds itself by script; look for an API, a feed or a static version of it',
    holds: ({ source, words }) =>
      words < 60 &&
      (/<noscript[^>]{0,300}>[^]{0,600}?javascript/i.test(source) ||
        /(?:enable|requires?|turn on) javascript/i.test(source) ||
        (/<div[^>]{1,300}id=["']?(?:root|app|__next|__nuxt|svelte)["'\s>]/i.test(source) && /<script/i.test(source))),
  },
  {
    warning: 'log-in wall',
    cost: 0.6,
    suggestion: 'the content is behind a log-in; ask the user for it',
    holds: ({ source, text, words }) =>
      words < 400 &&
      /<input[^>]{1,300}type=["']?password/i.test(source) &&
      /\b(?:log ?-?in|sign ?-?in|anmelden|connexion|iniciar sesi)/i.test(text),
  },
  {
    warning: 'paywall',
    cost: 0.4,
    suggestion: 'only a part of the text is free; ask the user for the rest or look for another source',
    holds: ({ source, text }) =>
      /"isAccessibleForFree"\s*:\s*"?false/i.test(source) ||
      /subscribe (?:now )?to (?:continue|read)|to continue reading|already a subscriber\?/i.test(text),
  },
  {
    warning: 'hardly any text',
    cost: 0.3,
    suggestion: 'the page holds next to no text; check the URL',
    holds: ({ words }) => words < 5,
  },
];

/**
 * Judges whether a fetched page is what a reader would see. Rules of thumb over the source and the text; they only
 * advise.
 */
export function judgeQuality(page: Signals): Quality {
  const found = signs.filter((sign) => sign.holds(page));
  const score = found.reduce((left, sign) => left * (1 - sign.cost), 1);
  const suggestion = found[0]?.suggestion;
  return {
    score: Math.round(score * 100) / 100,
    warnings: found.map(({ warning }) => warning),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
