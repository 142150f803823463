import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Buffer;
}

/**
 * A screenshot as a PNG of at most 16 colours: pictures of an editor have few, and what is packaged has to stay small.
 * @param png 8 bits a channel, without interlacing, opaque: what Chromium writes
 */
export function toPalette(png: Buffer): Buffer {
  const { width, height, rgb } = decode(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const color = rgb.readUIntBE(at, 3);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const { palette, indexOf } = reduce(counts, 16);
  // 16 colours take half a byte a pixel, the left one in the upper half; a row begins with its filter, which is none.
  const rowBytes = 1 + ((width + 1) >> 1);
  const rows = Buffer.alloc(height * rowBytes);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const index = indexOf.get(rgb.readUIntBE((y * width + x) * 3, 3)) ?? 0;
      const at = y * rowBytes + 1 + (x >> 1);
      rows[at] = (rows[at] ?? 0) | (x % 2 === 0 ? index << 4 : index);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3, 0, 0, 0], 8);
  const colors = Buffer.alloc(palette.length * 3);
  palette.forEach((color, index) => colors.writeUIntBE(color, index * 3, 3));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}

function decode(png: Buffer): Picture {
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') data.push(body);
  }
  const kind = header?.[9];
  const channels = kind === 2 ? 3 : kind === 6 ? 4 : undefined;
  if (!header || !channels || header[8] !== 8 || header[12] !== 0)
    throw new Error('expected a PNG of 8 bits a channel without interlacing');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixels = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const rgb = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) pixels.copy(rgb, at * 3, at * channels, at * channels + 3);
  return { width, height, rgb };
}

/** Undoes the five filters of PNG: each byte was written as its difference to a guess from those before it. */
function unfilter(filtered: Buffer, rowBytes: number, height: number, step: number): Buffer {
  const out = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const here = y * rowBytes + x;
      const left = x >= step ? (out[here - step] ?? 0) : 0;
      const above = y > 0 ? (out[here - rowBytes] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (out[here - rowBytes - step] ?? 0) : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      out[here] = (filtered[y * (rowBytes + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

const channel = (color: number, index: number): number => (color >> (16 - 8 * index)) & 255;

/** Median cut: the box of colours with the widest channel, weighed by how often it is seen, is halved until enough. */
function reduce(
  counts: ReadonlyMap<number, number>,
  wanted: number,
): { palette: number[]; indexOf: ReadonlyMap<number, number> } {
  const weigh = (colors: readonly number[]): number => colors.reduce((sum, color) => sum + (counts.get(color) ?? 0), 0);
  const measure = (colors: number[]) => {
    const spans = [0, 1, 2].map((index) => {
      const values = colors.map((color) => channel(color, index));
      return values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255);
    });
    const span = Math.max(...spans);
    return { colors, widest: spans.indexOf(span), value: span * Math.sqrt(weigh(colors)) };
  };
  const boxes = [measure([...counts.keys()])];
  while (boxes.length < wanted) {
    boxes.sort((a, b) => b.value - a.value);
    const box = boxes[0];
    if (!box || box.value === 0) break;
    const sorted = [...box.colors].sort((a, b) => channel(a, box.widest) - channel(b, box.widest));
    const half = weigh(sorted) / 2;
    let at = 0;
    for (let seen = 0; at < sorted.length - 1 && seen + (counts.get(sorted[at] ?? 0) ?? 0) <= half; at++)
      seen += counts.get(sorted[at] ?? 0) ?? 0;
    at = Math.max(1, at);
    boxes.splice(0, 1, measure(sorted.slice(0, at)), measure(sorted.slice(at)));
  }
  const palette = boxes.map(({ colors }) => {
    // A colour that fills a surface stays itself.
    const most = colors.reduce((a, b) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a));
    if ((counts.get(most) ?? 0) * 2 > weigh(colors)) return most;
    const mean = [0, 1, 2].map((index) =>
      Math.round(colors.reduce((sum, one) => sum + channel(one, index) * (counts.get(one) ?? 0), 0) / weigh(colors)),
    );
    return ((mean[0] ?? 0) << 16) | ((mean[1] ?? 0) << 8) | (mean[2] ?? 0);
  });
  return { palette, indexOf: new Map(boxes.flatMap(({ colors }, index) => colors.map((color) => [color, index]))) };
}
