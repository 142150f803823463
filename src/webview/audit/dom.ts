type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. Text becomes text nodes only, so that nothing that comes from a record is ever markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  setAll(made, attributes);
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAll(made, attributes);
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

function setAll(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) target.setAttribute(name, value === true ? '' : String(value));
}

/** Fills `{0}`, `{1}` of a text that the extension translated. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_match, at: string) => String(values[Number(at)] ?? ''));
}
