import type { Program, ProgramEnd } from './programs';

/** What goes to the helper process: one JSON text per line. */
export type HelperRequest =
  | { readonly id: number; readonly what: 'start'; readonly program: Program }
  | { readonly id: number; readonly what: 'pause' | 'resume' | 'kill' };

/** What comes back: frames of a kind, a program's number, a length and as many bytes. */
export type HelperFrame =
  | { readonly kind: 'ready' }
  | { readonly kind: 'output'; readonly id: number; readonly data: Buffer }
  | { readonly kind: 'end'; readonly id: number; readonly how: ProgramEnd };

const kinds = ['ready', 'output', 'end'] as const;
const headLength = 9;

export function frameOf(kind: (typeof kinds)[number], id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt8(kinds.indexOf(kind), 0);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(data.length, 5);
  return Buffer.concat([head, data]);
}

/** Puts frames together as their bytes arrive. Throws for bytes that are no frame. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #length = 0;

  take(data: Buffer): HelperFrame[] {
    this.#pieces.push(data);
    this.#length += data.length;
    const frames: HelperFrame[] = [];
    for (;;) {
      if (this.#length < headLength) return frames;
      const first = this.#pieces[0];
      // Joined only once a frame is whole, so that a long one is not copied again and again.
      const head = first && first.length >= headLength ? first : this.#join();
      const length = head.readUInt32LE(5);
      if (this.#length < headLength + length) return frames;
      const all = this.#join();
      frames.push(frame(all.readUInt8(0), all.readUInt32LE(1), all.subarray(headLength, headLength + length)));
      this.#pieces = [all.subarray(headLength + length)];
      this.#length = all.length - headLength - length;
    }
  }

  #join(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}

function frame(kind: number, id: number, data: Buffer): HelperFrame {
  switch (kinds[kind]) {
    case 'ready':
      return { kind: 'ready' };
    case 'output':
      return { kind: 'output', id, data };
    case 'end':
      // Both sides are of the same build.
      return { kind: 'end', id, how: JSON.parse(data.toString()) as ProgramEnd };
    default:
      throw new Error(`the helper process sent a frame of an unknown kind ${kind}`);
  }
}
