/** One call as a model writes it. */
export interface TaskCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** An ordinary piece of work, by our tools and by those of the editor's agent mode. */
export interface TokenTask {
  readonly name: string;
  readonly ours: readonly TaskCall[];
  readonly host: readonly TaskCall[];
}

/** Where the tasks are done; the host's tools want paths from the root of the machine. */
export interface TaskPlace {
  readonly folder: string;
  /** Of the page that is read. */
  readonly url: string;
}

/** The package whose sources, of a pinned version, are the workspace of the tasks. */
export const taskSources = 'node_modules/luxon/src';

const call = (tool: string, input: TaskCall['input']): TaskCall => ({ tool, input });

const edits = (path: string, ...pairs: readonly (readonly [string, string])[]): TaskCall =>
  call('edit_file', { path, edits: pairs.map(([old_text, new_text]) => ({ old_text, new_text })) });

const page = '# Timetable\n\n- The ferry leaves at 08:00.\n- Tickets are sold on board.\n';

/**
 * The tasks. Where an edit misses, ours reads no file again, because its answer shows the line and how it differs. Both
 * sides give the same texts to be replaced and ask for the same lines, and each takes the shortest way that its tools
 * offer. The host's tools that edit several places at once, move, delete and fetch are not offered to the scripted
 * model, so it edits place by place and does the rest in the terminal.
 */
export function tokenTasks({ folder, url }: TaskPlace): readonly TokenTask[] {
  const at = (path: string): string => `${folder}/${path}`;
  const lines = (path: string, startLine: number, endLine: number): TaskCall =>
    call('read_file', { filePath: at(path), startLine, endLine });
  const replace = (path: string, oldString: string, newString: string): TaskCall =>
    call('replace_string_in_file', { filePath: at(path), oldString, newString });
  const terminal = (command: string, goal: string): TaskCall =>
    call('run_in_terminal', { command, explanation: goal, goal, mode: 'sync' });
  const part = (path: string, start_line: number, end_line: number): TaskCall =>
    call('read_file', { path, start_line, end_line });
  const task = (name: string, ours: readonly TaskCall[], host: readonly TaskCall[]): TokenTask => ({
    name,
    ours,
    host,
  });
  const grep = (query: string, more: object = {}): TaskCall => call('grep_search', { query, isRegexp: false, ...more });

  return [
    task('read a small file', [call('read_file', { path: 'src/errors.js' })], [lines('src/errors.js', 1, 61)]),
    task('read a part of a large file', [part('src/datetime.js', 441, 460)], [lines('src/datetime.js', 441, 460)]),
    task(
      'read two parts of a file',
      [part('src/interval.js', 15, 28), part('src/interval.js', 120, 140)],
      [lines('src/interval.js', 15, 28), lines('src/interval.js', 120, 140)],
    ),
    task(
      'read three files',
      [call('read_files', { paths: ['src/luxon.js', 'src/impl/invalid.js', 'src/zones/invalidZone.js'] })],
      [lines('src/luxon.js', 1, 26), lines('src/impl/invalid.js', 1, 14), lines('src/zones/invalidZone.js', 1, 53)],
    ),
    task('read a configuration', [call('read_file', { path: 'src/package.json' })], [lines('src/package.json', 1, 4)]),
    task('list a folder', [call('list_directory', { path: 'src' })], [call('list_dir', { path: at('src') })]),
    task(
      'list a folder with those in it',
      [call('list_directory', { path: 'src', depth: 2 })],
      [
        call('list_dir', { path: at('src') }),
        call('list_dir', { path: at('src/impl') }),
        call('list_dir', { path: at('src/zones') }),
      ],
    ),
    task(
      'find files by their folder',
      [call('find_files', { pattern: '**/impl/*.js' })],
      [call('file_search', { query: '**/impl/*.js' })],
    ),
    task(
      'find a file by its name',
      [call('find_files', { pattern: '**/IANAZone.js' })],
      [call('file_search', { query: '**/IANAZone.js' })],
    ),
    task(
      'find a file that is not there',
      [call('find_files', { pattern: '**/*.tsx' })],
      [call('file_search', { query: '**/*.tsx' })],
    ),
    task(
      'search a name with few matches',
      [call('grep_files', { pattern: 'hasInvalidTimeData' })],
      [grep('hasInvalidTimeData')],
    ),
    task('search a name with many matches', [call('grep_files', { pattern: 'isUndefined' })], [grep('isUndefined')]),
    task(
      'search by an expression in one folder',
      [call('grep_files', { pattern: 'export (default )?class \\w+', path: 'src/zones' })],
      [call('grep_search', { query: 'export (default )?class \\w+', isRegexp: true, includePattern: 'src/zones/**' })],
    ),
    task('search what is not there', [call('grep_files', { pattern: 'noSuchName' })], [grep('noSuchName')]),
    task(
      'find a function and read it',
      [call('grep_files', { pattern: 'function padStart' }), part('src/impl/util.js', 125, 134)],
      [grep('function padStart'), lines('src/impl/util.js', 125, 134)],
    ),
    task(
      'change one place',
      [edits('src/zone.js', ['@interface', '@abstract'])],
      [replace('src/zone.js', '@interface', '@abstract')],
    ),
    task(
      'change three places of a file',
      [edits('src/luxon.js', ['const VERSION', 'const RELEASE'], ['  VERSION,', '  RELEASE,'], ['"3.7.2"', '"3.8.0"'])],
      [
        replace('src/luxon.js', 'const VERSION', 'const RELEASE'),
        replace('src/luxon.js', '  VERSION,', '  RELEASE,'),
        replace('src/luxon.js', '"3.7.2"', '"3.8.0"'),
      ],
    ),
    task(
      'change three files',
      [
        edits('src/impl/english.js', ['export const monthsLong', 'export const longMonths']),
        edits('src/impl/formats.js', ['const n = "numeric"', 'const n = "2-digit"']),
        edits('src/impl/diff.js', ['export default function', 'export function']),
      ],
      [
        replace('src/impl/english.js', 'export const monthsLong', 'export const longMonths'),
        replace('src/impl/formats.js', 'const n = "numeric"', 'const n = "2-digit"'),
        replace('src/impl/diff.js', 'export default function', 'export function'),
      ],
    ),
    task(
      'read, change and read again',
      [
        part('src/settings.js', 10, 18),
        edits('src/settings.js', ['twoDigitCutoffYear = 60', 'twoDigitCutoffYear = 70']),
        part('src/settings.js', 15, 15),
      ],
      [
        lines('src/settings.js', 10, 18),
        replace('src/settings.js', 'twoDigitCutoffYear = 60', 'twoDigitCutoffYear = 70'),
        lines('src/settings.js', 15, 15),
      ],
    ),
    task(
      'write a new file',
      [call('write_file', { path: 'src/impl/half.js', content: 'export const half = (value) => value / 2;\n' })],
      [
        call('create_file', {
          filePath: at('src/impl/half.js'),
          content: 'export const half = (value) => value / 2;\n',
        }),
      ],
    ),
    task(
      'add to the end of a file',
      [call('write_file', { path: 'src/info.js', content: '\nexport const calendars = [];\n', mode: 'append' })],
      [
        replace(
          'src/info.js',
          '    return { relative: hasRelative(), localeWeek: hasLocaleWeekInfo() };\n  }\n}\n',
          '    return { relative: hasRelative(), localeWeek: hasLocaleWeekInfo() };\n  }\n}\n\nexport const calendars = [];\n',
        ),
      ],
    ),
    task(
      'move a file',
      [call('move_file', { source: 'src/impl/digits.js', destination: 'src/impl/numerals.js' })],
      [terminal('mv src/impl/digits.js src/impl/numerals.js', 'Move the file')],
    ),
    task(
      'delete a file',
      [call('delete_file', { path: 'src/impl/tokenParser.js' })],
      [terminal('rm src/impl/tokenParser.js', 'Delete the file')],
    ),
    task(
      'rename a variable',
      [
        call('grep_files', { pattern: 'asUTC' }),
        call('edit_file', {
          path: 'src/zones/IANAZone.js',
          edits: [{ old_text: 'asUTC', new_text: 'inUTC', replace_all: true }],
        }),
      ],
      [
        call('vscode_renameSymbol', {
          symbol: 'asUTC',
          newName: 'inUTC',
          filePath: 'src/zones/IANAZone.js',
          lineContent: 'const asUTC = objToLocalTS({',
        }),
      ],
    ),
    task(
      'an edit that misses, and the right one',
      [
        edits('src/zones/fixedOffsetZone.js', [
          'return offset == 0 ? FixedOffsetZone.utcInstance : new FixedOffsetZone(offset);',
          'return FixedOffsetZone.of(offset);',
        ]),
        edits('src/zones/fixedOffsetZone.js', [
          'return offset === 0 ? FixedOffsetZone.utcInstance : new FixedOffsetZone(offset);',
          'return FixedOffsetZone.of(offset);',
        ]),
      ],
      [
        replace(
          'src/zones/fixedOffsetZone.js',
          'return offset == 0 ? FixedOffsetZone.utcInstance : new FixedOffsetZone(offset);',
          'return FixedOffsetZone.of(offset);',
        ),
        lines('src/zones/fixedOffsetZone.js', 22, 30),
        replace(
          'src/zones/fixedOffsetZone.js',
          'return offset === 0 ? FixedOffsetZone.utcInstance : new FixedOffsetZone(offset);',
          'return FixedOffsetZone.of(offset);',
        ),
      ],
    ),
    task(
      'rewrite a small file',
      [
        call('write_file', {
          path: 'src/package.json',
          content: '{\n  "type": "module",\n  "version": "3.8.0",\n  "private": true\n}\n',
        }),
      ],
      [
        replace(
          'src/package.json',
          '{\n  "type": "module",\n  "version": "3.7.2"\n}\n',
          '{\n  "type": "module",\n  "version": "3.8.0",\n  "private": true\n}\n',
        ),
      ],
    ),
    task(
      'look up a function and everywhere it is called',
      [call('grep_files', { pattern: 'validateWeekSettings' }), part('src/impl/util.js', 92, 112)],
      [grep('validateWeekSettings'), lines('src/impl/util.js', 92, 112)],
    ),
    task(
      'keep a list of three steps',
      [
        call('write_todos', {
          todos: [
            { content: 'Read the parser', status: 'in_progress' },
            { content: 'Fix the offset' },
            { content: 'Run the tests' },
          ],
        }),
        call('write_todos', {
          todos: [
            { content: 'Read the parser', status: 'completed' },
            { content: 'Fix the offset', status: 'in_progress' },
            { content: 'Run the tests' },
          ],
        }),
      ],
      [
        call('manage_todo_list', {
          todoList: [
            { id: 1, title: 'Read the parser', status: 'in-progress' },
            { id: 2, title: 'Fix the offset', status: 'not-started' },
            { id: 3, title: 'Run the tests', status: 'not-started' },
          ],
        }),
        call('manage_todo_list', {
          todoList: [
            { id: 1, title: 'Read the parser', status: 'completed' },
            { id: 2, title: 'Fix the offset', status: 'in-progress' },
            { id: 3, title: 'Run the tests', status: 'not-started' },
          ],
        }),
      ],
    ),
    task(
      'a page to notes',
      [
        call('web_fetch', { url, format: 'markdown' }),
        call('write_file', { path: 'notes/timetable.md', content: page }),
      ],
      [
        terminal(`curl -s ${url}`, 'Read the page'),
        call('create_file', { filePath: at('notes/timetable.md'), content: page }),
      ],
    ),
  ];
}
