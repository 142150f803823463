/** The files of the project that every session starts from. */
export const projectFiles: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.gitignore': 'node_modules\ndist\n.env\n',
  '.env': 'API_KEY=example\n',
  '.github/workflows/ci.yml': 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n',
  '.vscode/settings.json': '{ "editor.tabSize": 2 }\n',
  'README.md': '# Timetable\n\nShows departures.\n\n## Use\n\nRun `npm start`.\n',
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n',
  'package.json': '{\n  "name": "timetable",\n  "version": "1.0.0",\n  "scripts": { "test": "mocha" }\n}\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": false } }\n',
  'src/app.ts': "import { format } from './format';\n\nexport const start = (): string => format(new Date());\n",
  'src/format.ts': 'export function format(date: Date): string {\n  return date.toISOString();\n}\n',
  'src/server.ts': 'export const port = 8080;\nexport const host = "localhost";\n',
  'src/timetable.ts': 'export interface Row {\n  line: string;\n  at: string;\n}\n\nexport const rows: Row[] = [];\n',
  'src/util/strings.ts': 'export const trim = (text: string): string => text.trim();\n',
  'src/util/old.ts': 'export const unused = 1;\n',
  'src/styles/main.css': 'body { margin: 0; }\n',
  'test/format.test.ts': "import { format } from '../src/format';\n\nformat(new Date());\n",
  'docs/api.md': '# API\n\n- GET /rows\n',
  'docs/decisions.md': '# Decisions\n\n1. We use TypeScript.\n',
  'notes/call.md': '- Ask the operator for line 7.\n',
  'data/rows.csv': 'line,at\n7,08:00\n9,08:10\n',
  'dist/app.js': 'exports.start = () => "";\n',
  'scripts/release.sh': '#!/bin/sh\nnpm version patch\n',
};

/** The pages that sessions read; each answers the same short text. */
export const page = '<html><body><main><h1>Dates</h1><p>How dates are written.</p></main></body></html>';
