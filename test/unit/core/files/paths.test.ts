import { strict as assert } from 'node:assert';
import { say, worded } from '../../../../src/core/base/sentence';
import {
  alreadyThere,
  fileInTheWay,
  folderInTheWay,
  leadsNowhere,
  pathOutside,
  readPathInput,
  resolvePath,
} from '../../../../src/core/files/paths';
import { errorSaid, ToolError } from '../../../../src/core/vocabulary/errors';
import type { PathStyle } from '../../../../src/core/ports/files';
import { inGerman } from '../../../support/german';

const folder = (name: string) => ({ name, path: `/w/${name}`, scheme: 'file' });
const [one, two, three] = [folder('one'), folder('two'), folder('three')];

/** What a path is refused with: by its style, the folders that are open, and the words after its name. */
const refused: readonly (readonly [input: string, style: PathStyle, folders: number, words: string])[] = [
  ['src', 'posix', 0, 'no folder is open, so there are no files to work on; ask the user to open a folder'],
  ['', 'posix', 1, 'is not a usable path: it is empty; `/` is the workspace root'],
  ['a\0b', 'posix', 1, 'is not a usable path: it holds a NUL character'],
  ['a'.repeat(4097), 'posix', 1, 'is not a usable path: it has more than 4,096 characters'],
  ['\ud800', 'posix', 1, 'is not a usable path: it holds half of a surrogate pair'],
  ['~/a', 'posix', 1, 'is outside the workspace: `~` is the home folder; give a path inside a workspace folder'],
  ['../a', 'posix', 1, 'is outside the workspace: `..` climbs above the root; give a path inside a workspace folder'],
  ['http://a', 'posix', 1, 'it is a URI; give the path alone, as list_directory shows it, such as `/src/app.ts`'],
  ['c:\\a', 'posix', 1, 'it is a path of Windows, and this machine is none; give a path of the workspace with `/`'],
  ['/x', 'posix', 3, 'there are several folders, so it must start with `/one` or `/two` or `/three`'],
  ['\\\\?\\a', 'windows', 1, 'is outside the workspace: it names a device; give a path inside a workspace folder'],
  ['\\\\a\\b', 'windows', 1, 'is outside the workspace: it names another machine;'],
  ['c:\\a', 'windows', 1, 'is outside the workspace: it names a drive, and no workspace folder there holds it;'],
  ['nul', 'windows', 1, 'is not a usable path: `nul` is a device name of Windows'],
  ['a.', 'windows', 1, 'the name `a.` ends in a dot or a space, which Windows drops'],
  ['ab:c', 'windows', 1, 'the name `ab:c` holds a colon, which names an alternate data stream'],
  ['a?', 'windows', 1, 'the name `a?` holds a character that Windows forbids'],
  ['a~1', 'windows', 1, 'the name `a~1` looks like a short name of Windows; give the long name'],
];

function assertTold(error: unknown, words: string): void {
  assert.ok(error instanceof ToolError);
  assert.equal(worded(errorSaid(error)), error.message);
  assert.ok(error.message.includes(words), error.message);
  assert.doesNotMatch(worded(errorSaid(error), inGerman), /UNTRANSLATED|\b(is|the|it|or|a link|give)\b/);
}

describe('a path that is refused', () => {
  for (const [input, style, folders, words] of refused)
    it(`tells models and people why, each in their language: ${words}`, () => {
      assert.throws(
        () => readPathInput(input, [one, two, three].slice(0, folders), style),
        (error) => (assertTold(error, words), true),
      );
    });

  it('is told so where only the files tell, and where something stands in the way', async () => {
    const files = {
      style: 'posix',
      folders: () => [one, two, three],
      canonical: async (path: unknown) => path,
      stat: async () => ({ type: 'file' }),
    };
    const error = async (input: string): Promise<unknown> =>
      resolvePath(files as never, input).then(
        () => assert.fail('it is taken'),
        (thrown: unknown) => thrown,
      );
    assertTold(await error('/'), '`/` is the root above the folders `/one`, `/two`, `/three`; name one of them');
    assertTold(await error('a'), '`a` could be `/one/a` or `/two/a` or `/three/a`; call again with one of these');
    assertTold(leadsNowhere('/a'), '`/a` is a link that leads to nothing, so it is not followed;');
    assertTold(folderInTheWay('/a/', 'b'), 'which a move does not replace; to move into it give `/a/b`');
    assertTold(fileInTheWay('/a'), '`/a` is a file, which a folder cannot replace');
    assertTold(alreadyThere('/a'), '`/a` is there already; set overwrite to true to replace it');
    assertTold(pathOutside('/a', say('path_link_out')), '`/a` is outside the workspace: a link in it leads out;');
  });
});
