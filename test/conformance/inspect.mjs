// The Inspector's command line again and again in one process: its start costs more than a call. `node inspect.mjs CLI`
// takes the arguments of a run as a message, and answers how it ended and what it printed.
const { runCli, handleError } = await import(process.argv[2]);

let answer;
for (const stream of ['stdout', 'stderr'])
  process[stream].write = (text, ...rest) => {
    answer[stream] += String(text);
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };
// It ends what failed with its code.
process.exit = (code) => (answer.code = code);

process.on('message', async (args) => {
  answer = { code: 0, stdout: '', stderr: '' };
  await runCli(args).catch(handleError);
  process.send(answer);
});
