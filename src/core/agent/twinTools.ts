/** Tools of editors that do under another name what one of ours does. */
const otherNames: Readonly<Record<string, string>> = {
  create_file: 'write_file',
  insert_edit: 'edit_file',
  insert_edit_into_file: 'edit_file',
  replace_string: 'edit_file',
  replace_string_in_file: 'edit_file',
  multi_replace_string: 'edit_file',
  multi_replace_string_in_file: 'edit_file',
  apply_patch: 'edit_file',
  list_dir: 'list_directory',
  file_search: 'find_files',
  grep_search: 'grep_files',
  find_text_in_files: 'grep_files',
  fetch_web_page: 'web_fetch',
  fetch_webpage: 'web_fetch',
  fetch_web_page_internal: 'web_fetch',
  manage_todo_list: 'write_todos',
};

/**
 * Finds which tools of others do what a tool of ours does, so that a person sees that closing ours closes half.
 *
 * @param others names as the editor knows them, in any spelling (`copilot_readFile`).
 * @param ours names as definitions say them (`read_file`).
 * @returns our name by theirs.
 */
export function twinsOf(others: readonly string[], ours: readonly string[]): ReadonlyMap<string, string> {
  const own = new Set(ours);
  return new Map(
    others.flatMap((name) => {
      const plain = snakeCase(name);
      const twin = [plain, otherNames[plain]].find((one) => one !== undefined && own.has(one));
      return twin === undefined ? [] : [[name, twin] as const];
    }),
  );
}

function snakeCase(name: string): string {
  return name
    .replace(/^(?:copilot|vscode)_/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
