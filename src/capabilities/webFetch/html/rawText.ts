/**
 * Finds where a script's text ends. Inside `<!-- … -->` a nested `<script>…</script>` pair belongs to the text
 * (HTML standard, "script data double escaped state"); where no end is found that way, the first end tag counts.
 */
export function scriptEnd(html: string, start: number): number {
  const close = /<\/script(?=[\s/>])/gi;
  close.lastIndex = start;
  const first = close.exec(html)?.index ?? html.length;
  const comment = html.indexOf('<!--', start);
  if (comment < 0 || comment > first) return first;
  const marks = /<!--|-->|<(\/?)script(?=[\s/>])/gi;
  marks.lastIndex = comment;
  let escaped = false;
  let nested = false;
  for (let mark = marks.exec(html); mark; mark = marks.exec(html)) {
    if (mark[0] === '<!--') escaped = true;
    else if (mark[0] === '-->') escaped = nested = false;
    else if (mark[1] === '') nested = escaped;
    else if (nested) nested = false;
    else return mark.index;
  }
  return first;
}
