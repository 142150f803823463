/** How a filter is written, in one line, for usage texts and tools. */
export const filterGrammar =
  'words and risk:<=medium, effect:fs, scope:weather:read, source:mcp, kind:data, category:network, agent:asks, is:on|off|asks; a,b is either, -effect:fs.write leaves out';

/** The parts between spaces; quotes keep spaces inside: `category:"File Operations"`. */
export const filterParts = (text: string): readonly string[] => text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
