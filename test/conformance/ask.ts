// What the suite starts for each scenario of the client: has the client that is there already (client.ts) play it, and
// ends as that went. `node ask.cjs PORT URL`; the scenario comes by the environment.
import { request } from 'node:http';

const [port = '', url = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const asking = request({ host: '127.0.0.1', port, method: 'POST' }, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  answer.pipe(process.stderr);
});
asking.end(JSON.stringify({ scenario, context: JSON.parse(context), url }));
