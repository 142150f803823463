import type { LeanNode } from './leanNode';

/**
 * Tells whether an element is not shown to a person who looks at the page: `hidden`, or a style that makes it vanish.
 * Text that only a machine sees is the favourite place for instructions to a model, so it is left out and counted.
 * Style sheets are not read; `aria-hidden` hides from screen readers only and is shown.
 */
export function isHidden(node: LeanNode): boolean {
  const list = node.attrs;
  if (!list) return false;
  for (let at = 0; at < list.length; at += 2) {
    const name = list[at];
    if (name === 'style') {
      const value = list[at + 1];
      if (value !== undefined && value.length < 10_000 && mayHide.test(value) && hidingStyle(value)) return true;
    } else if (name === 'hidden') {
      // `until-found` is shown once somebody searches for it.
      if (list[at + 1]?.toLowerCase() !== 'until-found') return true;
    } else if (name === 'type' && node.tag.name === 'INPUT' && list[at + 1]?.toLowerCase() === 'hidden') {
      return true;
    }
  }
  return false;
}

const mayHide = /display|visibility|opacity|font|left|top|right|indent|clip|width|height|color|transform/i;

function hidingStyle(style: string): boolean {
  const text = style.toLowerCase().replace(/\s+|!important/g, '');
  if (/(?:^|;)display:none/.test(text) || /(?:^|;)visibility:(?:hidden|collapse)/.test(text)) return true;
  if (/(?:^|;)opacity:(?:0|0?\.0+|0%)(?:;|$)/.test(text)) return true;
  if (/(?:^|;)font(?:-size)?:0(?:px|em|rem|pt|%)?(?:;|$)/.test(text)) return true;
  if (/(?:^|;)text-indent:-\d{4,}/.test(text)) return true;
  if (/(?:^|;)position:(?:absolute|fixed)/.test(text) && /(?:^|;)(?:left|top|right):-\d{3,}/.test(text)) return true;
  if (/(?:^|;)clip:rect\(0(?:px)?[, ]?0|(?:^|;)clip-path:(?:inset\((?:50|100)%|circle\(0)/.test(text)) return true;
  if (/(?:^|;)transform:scale\(0\)/.test(text)) return true;
  if (/(?:^|;)overflow:hidden/.test(text) && /(?:^|;)(?:max-)?(?:width|height):[01]?(?:px)?(?:;|$)/.test(text))
    return true;
  const color = /(?:^|;)color:([^;]+)/.exec(text)?.[1];
  const background = /(?:^|;)background(?:-color)?:([^;]+)/.exec(text)?.[1];
  return color !== undefined && (color === 'transparent' || (background !== undefined && color === background));
}
