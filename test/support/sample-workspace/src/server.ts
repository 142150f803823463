import { createServer } from 'node:http';
import { formatMinute } from './format';
import { nextDeparture } from './timetable';

const port = 8080;

createServer((request, response) => {
  const from = new URL(request.url ?? '/', 'http://localhost').searchParams.get('from') ?? 'Northquay';
  const now = new Date();
  const next = nextDeparture(from, now.getHours() * 60 + now.getMinutes(), now.getDay() === 0);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify(next ? { from, to: next.to, leaves: formatMinute(next.minute) } : { from, leaves: null }),
  );
}).listen(port);
