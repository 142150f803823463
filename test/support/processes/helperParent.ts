import { HelperStarter } from '../../../src/node/files/search/helperStarter';

// A process with a helper that runs a program; a test kills it. Arguments: the helper's script. Writes both process
// ids.
const [, , script = ''] = process.argv;
const starter = new HelperStarter({ script, isLarge: () => true });
const program = (code: string) => ({ binary: process.execPath, args: ['-e', code], folder: process.cwd() });
starter.start(program(''), { output() {}, end: () => void whenReady() });

async function whenReady(): Promise<void> {
  while (starter.pid === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  const { pid } = starter;
  starter.start(program('console.log(process.pid); setInterval(() => {}, 1000)'), {
    output: (data) => console.log(JSON.stringify([pid, Number(data.toString())])),
    end() {},
  });
}
