import path from 'node:path';

const bin = (name: string): string => path.resolve('node_modules/@modelcontextprotocol', name, 'dist/index.js');
export const entry = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [bin(name), ...args],
  protocol: '2025-11-25',
});

/** One call of each tool of the four reference servers, with what its answer must hold. `ROOT` is the workspace. */
export const referenceCalls: readonly [tool: string, input: Record<string, unknown>, expected: RegExp][] = [
  ['fs_read_file', { path: 'ROOT/a.txt' }, /hello/],
  ['fs_read_text_file', { path: 'a.txt', head: 1 }, /hello/],
  ['fs_read_media_file', { path: 'ROOT/p.png' }, /image|png|media|^$/],
  ['fs_read_multiple_files', { paths: ['ROOT/a.txt'] }, /hello/],
  ['fs_write_file', { path: 'ROOT/new.txt', content: 'new' }, /wrote/],
  ['fs_edit_file', { path: 'ROOT/new.txt', edits: [{ oldText: 'new', newText: 'newer' }] }, /newer/],
  ['fs_create_directory', { path: 'ROOT/dir' }, /created/],
  ['fs_list_directory', { path: 'ROOT' }, /a\.txt/],
  ['fs_list_directory_with_sizes', { path: 'ROOT' }, /a\.txt/],
  ['fs_directory_tree', { path: 'ROOT' }, /a\.txt/],
  ['fs_move_file', { source: 'ROOT/new.txt', destination: 'ROOT/dir/moved.txt' }, /moved/],
  ['fs_search_files', { path: 'ROOT', pattern: '**/*.txt' }, /moved\.txt/],
  ['fs_get_file_info', { path: 'ROOT/a.txt' }, /size/],
  ['fs_list_allowed_directories', {}, /ROOT/],
  [
    'memory_create_entities',
    { entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }] },
    /Ada/,
  ],
  ['memory_create_relations', { relations: [{ from: 'Ada', to: 'Ada', relationType: 'knows' }] }, /knows/],
  ['memory_add_observations', { observations: [{ entityName: 'Ada', contents: ['likes engines'] }] }, /engines/],
  ['memory_read_graph', {}, /engines/],
  ['memory_search_nodes', { query: 'engines' }, /Ada/],
  ['memory_open_nodes', { names: ['Ada'] }, /Ada/],
  ['memory_delete_observations', { deletions: [{ entityName: 'Ada', observations: ['likes engines'] }] }, /success/],
  ['memory_delete_relations', { relations: [{ from: 'Ada', to: 'Ada', relationType: 'knows' }] }, /success/],
  ['memory_delete_entities', { entityNames: ['Ada'] }, /success/],
  [
    'thinking_sequentialthinking',
    { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    /thoughtNumber/,
  ],
  ['everything_echo', { message: 'hey' }, /Echo: hey/],
  ['everything_get-annotated-message', { messageType: 'success', includeImage: true }, /success/i],
  ['everything_get-env', {}, /PATH/],
  ['everything_get-resource-links', { count: 2 }, /resource/i],
  ['everything_get-roots-list', {}, /file:\/\//],
  ['everything_get-resource-reference', { resourceType: 'Text', resourceId: 1 }, /resource/i],
  ['everything_get-structured-content', { location: 'Chicago' }, /temperature/],
  ['everything_get-sum', { a: 2, b: 3 }, /5/],
  ['everything_get-tiny-image', {}, /image/],
  ['everything_gzip-file-as-resource', { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resource' }, /.*/s],
  ['everything_toggle-simulated-logging', {}, /logging/i],
  ['everything_toggle-subscriber-updates', {}, /.*/s],
  ['everything_trigger-long-running-operation', { duration: 0.2, steps: 2 }, /completed/i],
  ['everything_trigger-elicitation-request', {}, /.*/s],
  ['everything_trigger-url-elicitation', { url: 'https://example.com/', message: 'm', elicitationId: 'e' }, /.*/s],
  ['everything_trigger-sampling-request', { prompt: 'hi', maxTokens: 5 }, /.*/s],
  ['everything_simulate-research-query', { topic: 'x' }, /.*/s],
];

/** The four reference servers as entries of the setting; ours is the folder of the workspace. */
export const referenceServers = {
  fs: entry('server-filesystem', '${workspaceFolder}'),
  memory: { ...entry('server-memory'), env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' } },
  thinking: entry('server-sequential-thinking'),
  everything: entry('server-everything'),
};
