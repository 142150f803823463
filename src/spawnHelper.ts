import { createInterface } from 'node:readline';
import { directStarter, type RunningProgram } from './node/files/search/programs';
import { frameOf, type HelperRequest } from './node/files/search/spawnProtocol';

// A process of its own that starts other programs: a small process starts one in a fraction of the time for which a
// large one would stand still. It listens to the process that started it and to nobody else, and ends with it, however
// that ends: its input is then closed.
const running = new Map<number, RunningProgram>();

createInterface({ input: process.stdin })
  .on('line', (line) => {
    // The other side is of the same build.
    const request = JSON.parse(line) as HelperRequest;
    const { id } = request;
    if (request.what !== 'start') {
      running.get(id)?.[request.what]();
      return;
    }
    const program = directStarter.start(request.program, {
      output: (data) => {
        // What nobody reads here must not pile up.
        if (process.stdout.write(frameOf('output', id, data))) return;
        program.pause();
        process.stdout.once('drain', () => program.resume());
      },
      end: (how) => {
        running.delete(id);
        process.stdout.write(frameOf('end', id, Buffer.from(JSON.stringify(how))));
      },
    });
    running.set(id, program);
  })
  .on('close', () => {
    for (const program of running.values()) program.kill();
    process.exit(0);
  });
process.stdout.on('error', () => process.exit(0));
process.stdout.write(frameOf('ready', 0, Buffer.alloc(0)));
