/** Made at first use, in the language of the page, which is the editor's; the browser's own may be another. */
function once<Format>(make: (language: string | undefined) => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make(document.documentElement.lang || undefined));
}

const times = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  once((language) => new Intl.DateTimeFormat(language, options));

export const timeOfDay = times({ timeStyle: 'medium' });
export const shortTime = times({ timeStyle: 'short' });
export const weekdayAndDay = times({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
export const date = times({ dateStyle: 'medium' });
export const dateAndTime = times({ dateStyle: 'medium', timeStyle: 'medium' });
export const figure = once((language) => new Intl.NumberFormat(language));
