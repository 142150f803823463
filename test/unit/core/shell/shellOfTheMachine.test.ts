import { strict as assert } from 'node:assert';
import { commandLineAccesses } from '../../../../src/core/foreign/commandLine';
import { PlaceLabels } from '../../../../src/core/foreign/placeLabels';

/** What a line leads to on a machine where names in either case are one, or are not. */
async function effectsOf(line: string, caseInsensitive: boolean): Promise<readonly string[]> {
  const files = {
    folders: () => [{ name: 'work', path: '/work', scheme: 'file' }],
    style: 'posix',
    caseInsensitive,
    canonical: async (path: unknown) => path,
  } as never;
  const labels = new PlaceLabels(files, '/work');
  const found = await commandLineAccesses(line, { files, labels, isRemote: false });
  return [...new Set((found ?? []).map(({ effect }) => effect))];
}

describe('The shell that reads the line of a foreign tool', () => {
  for (const line of ['path=./b; git branch -a', 'for path in ./b; do git branch -a; done'])
    it(`S4.boundaries: may be zsh on macOS, where \`${line}\` runs what is found in ./b`, async () => {
      assert.ok((await effectsOf(line, true)).includes('system.exec'));
      assert.ok(!(await effectsOf(line, false)).includes('system.exec'), 'elsewhere it is a variable like any other');
      assert.ok((await effectsOf(`zsh -c '${line}'`, false)).includes('system.exec'), 'it is named');
      assert.ok((await effectsOf(line.replaceAll('path', 'PATH'), false)).includes('system.exec'), 'any shell');
    });
});
