import { type LeanNode, TEXT } from './leanNode';
import { Rule } from './tags';
import { styleOf } from './style';

export interface Removed {
  /** Elements that are not shown, or whose own text is not. */
  hidden: number;
  /** Characters of text that is not shown. */
  hiddenCharacters: number;
}

/** What hides text by a style that the elements inside inherit and may set anew. */
const inherited = { none: 0, size: 1, visibility: 2, color: 4 } as const;

/**
 * Takes out what is not shown to a person who looks at the page, and counts it: `hidden`, a closed dialog, or a style
 * of its own that makes an element vanish. Text that only a machine sees is the favourite place for instructions to a
 * model. Style sheets are not read; `aria-hidden` hides from screen readers only and is shown. An input of the type
 * `hidden` holds no text and stays: the reader of main content knows a form by the number of its inputs.
 */
export function removeHidden(root: LeanNode): Removed {
  const removed: Removed = { hidden: 0, hiddenCharacters: 0 };
  unlinkHidden(root, inherited.none, removed);
  return removed;
}

/** Returns whether anything is left of the node that a person sees. */
function unlinkHidden(node: LeanNode, around: number, removed: Removed): boolean {
  let isLeft = around === inherited.none;
  for (let child = node.first; child;) {
    const { next } = child;
    if (child.type === TEXT) {
      if (around !== inherited.none) {
        removed.hiddenCharacters += child.data.trim().length;
        child.unlink();
      }
    } else if (!child.tag.removed) {
      if (child.tag.name === 'IFRAME') emptyFrame(child, removed);
      const style = styleOf(child);
      if (isGone(child, style)) {
        removed.hidden++;
        removed.hiddenCharacters += textLength(child);
        child.unlink();
      } else {
        const inside = inheritedBy(style, around);
        if ((inside & ~around) !== 0) removed.hidden++;
        // A picture has letters of no size and no color.
        const isPicture = child.tag.rule === Rule.Image && (inside & inherited.visibility) === 0;
        if (unlinkHidden(child, inside, removed) || isPicture) isLeft = true;
        else child.unlink();
      }
    }
    child = next;
  }
  return isLeft;
}

/** What stands between the tags of a frame was for browsers that knew no frames. */
function emptyFrame(frame: LeanNode, removed: Removed): void {
  const characters = textLength(frame);
  if (characters === 0) return;
  removed.hidden++;
  removed.hiddenCharacters += characters;
  while (frame.first) frame.first.unlink();
}

function textLength(node: LeanNode): number {
  if (node.type === TEXT) return node.data.trim().length;
  if (node.tag.removed) return 0;
  let length = 0;
  for (let child = node.first; child; child = child.next) length += textLength(child);
  return length;
}

type Style = ReadonlyMap<string, string>;

/** Whether an element vanishes with all that is in it. Of an attribute that is given twice the first counts. */
function isGone(node: LeanNode, style: Style): boolean {
  const isDialog = node.tag.name === 'DIALOG';
  if (node.tag.name === 'NOEMBED') return true;
  if (!node.attrs) return isDialog;
  const hidden = node.attribute('hidden');
  // `until-found` is shown once somebody searches for it.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  const display = style.get('display');
  if (display === undefined && isDialog && node.attribute('open') === undefined) return true;
  return display === 'none' || (style.size > 0 && isOutOfSight(style));
}

const number = (value: string | undefined): number => Number.parseFloat(value ?? '');
const isZero = (value: string | undefined): boolean =>
  number(value) === 0 && /^[+-]?[\d.]+(?:e\d+)?(?:[a-z]+|%)?$/.test(value ?? '');
const outside = -100;

/** By its place, its size or what is cut off it. */
function isOutOfSight(style: Style): boolean {
  const value = (name: string): string => style.get(name) ?? '';
  if (number(value('opacity')) <= 0 || number(/opacity\(([^)]*)/.exec(value('filter'))?.[1]) <= 0) return true;
  if (value('content-visibility') === 'hidden' || number(value('text-indent')) <= -999) return true;
  const isPlaced = /^(?:absolute|fixed)$/.test(value('position'));
  if (isPlaced && ['left', 'top', 'right', 'bottom'].some((side) => number(value(side)) <= outside)) return true;
  const [, shape, size] = /^(inset|circle)\(\s*([\d.]+%?)/.exec(value('clip-path')) ?? [];
  if (shape === 'circle' ? isZero(size) : size?.endsWith('%') === true && number(size) >= 50) return true;
  const [, change, by] = /(scale|translate)(?:3d|x|y)?\(\s*([-+\d.]+)/.exec(value('transform')) ?? [];
  if (change === 'scale' ? isZero(by) : change === 'translate' && number(by) <= -1_000) return true;
  if (isEmptyClip(value('clip')) || isZero(value('scale'))) return true;
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((name) => /hidden|clip/.test(value(name)));
  const isTiny = (name: string): boolean => isZero(value(name)) || /^(?:0?\.\d+|1)(?:px)?$/.test(value(name));
  return isCut && ['width', 'height', 'max-width', 'max-height'].some(isTiny);
}

/** `rect(top, right, bottom, left)` around nothing; `auto` stands for the element's own edge. */
function isEmptyClip(clip: string): boolean {
  const edges =
    /^rect\(([^)]*)\)/
      .exec(clip)?.[1]
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const [top, right, bottom, left] = edges.map(number);
  return (bottom ?? Number.NaN) <= (top || 0) || (right ?? Number.NaN) <= (left || 0);
}

/** What of the ways to hide text holds inside an element of this style, given what holds around it. */
function inheritedBy(style: Style, around: number): number {
  let inside = around;
  const set = (kind: number, hides: boolean | undefined): void => {
    if (hides !== undefined) inside = hides ? inside | kind : inside & ~kind;
  };
  if (style.size === 0) return inside;
  set(inherited.size, hidesBySize(style));
  const visibility = style.get('visibility') ?? '';
  if (/^(?:hidden|collapse|visible|initial)$/.test(visibility)) set(inherited.visibility, /^[hc]/.test(visibility));
  set(inherited.color, hidesByColor(style));
  return inside;
}

/** Undefined where the size is the one around, or a part of it. */
function hidesBySize(style: Style): boolean | undefined {
  const size = style.get('font-size') ?? /(?:^|\s)((?:0|[\d.]+[a-z%]+)(?=[\s/]|$))/.exec(style.get('font') ?? '')?.[1];
  if (isZero(size)) return true;
  const isOwn = /^[\d.+]+(?:px|pt|pc|cm|mm|in|q|rem|v[a-z]+)$|^(?:(?:x{1,3}-)?(?:small|large)|medium|initial)$/;
  return isOwn.test(size ?? '') ? false : undefined;
}

/** Letters without a color, or of the color of their ground. */
function hidesByColor(style: Style): boolean | undefined {
  const color = sameColor(style.get('-webkit-text-fill-color') ?? style.get('color'));
  const ground = style.get('background-color') ?? style.get('background');
  if (color === undefined || /^(?:inherit|unset)$/.test(color)) return ground === 'currentcolor' ? true : undefined;
  // The ground shows through the letters.
  const clips = [style.get('background-clip'), style.get('-webkit-background-clip'), style.get('background')];
  if (clips.some((clip) => /(?:^|\s)text(?:\s|$)/.test(clip ?? ''))) return false;
  if (color === 'transparent') return true;
  // A picture covers the color of the ground.
  const grounds = [style.get('background'), style.get('background-image')];
  if (grounds.some((one) => picture.test(one ?? ''))) return false;
  return !/^(?:initial|revert|revert-layer)$/.test(color) && sameColor(ground) === color;
}

const picture = /(?:url|gradient|image|image-set|cross-fade|element)\(/;

/** One spelling for the usual spellings of a color. */
function sameColor(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [kind, ...parts] = value.split(/[\s,/()]+/).filter((part) => part !== '');
  if (kind === 'white') return '#ffffff';
  if (kind === 'black') return '#000000';
  if (/^#[0-9a-f]{3,8}$/.test(value)) {
    const long = value.length > 5 ? value : value.replace(/[0-9a-f]/g, '$&$&');
    return long.length === 9 && long.endsWith('00') ? 'transparent' : long;
  }
  if (!/^(?:rgb|hsl)a?$/.test(kind ?? '')) return value;
  if (isZero(parts[3])) return 'transparent';
  if (kind?.startsWith('hsl') || parts.length !== 3) return value;
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}
