import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { weather } from '../../../../src/capabilities/weather/weather';
import { runs } from '../../../support/counts';
import { callTool } from '../../../support/toolContext';

const call = async (tool: string, input: unknown): Promise<any> => {
  const result = await callTool(weather, tool, input);
  return result.ok ? result.outcome.payload : result.error.code;
};

describe('the mock weather capability', () => {
  it('S3.weather: answers plausible weather that is marked as a mock and stays the same for a city and a day', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 100 }), async (city) => {
        const celsius = await call('get_weather', { city });
        assert.deepEqual(await call('get_weather', { city }), celsius);
        const fahrenheit = await call('get_weather', { city, unit: 'fahrenheit' });
        assert.equal(celsius.mock, true);
        assert.ok(
          celsius.temperature >= -10 && celsius.temperature <= 45 && celsius.humidity >= 0 && celsius.humidity <= 100,
        );
        assert.ok(Math.abs(fahrenheit.temperature - (celsius.temperature * 1.8 + 32)) < 0.11);
        assert.ok(celsius.condition !== 'snow' || celsius.temperature < 5);
      }),
      { numRuns: runs(20, 200) },
    );
  });

  it('forecasts as many days as asked, today first, in line with the current weather', async () => {
    const { days, mock, unit } = await call('get_forecast', { city: 'Paris', days: 5 });
    assert.deepEqual(
      [days.map((day: any) => day.date), mock, unit],
      [['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25'], true, 'celsius'],
    );
    const now = await call('get_weather', { city: 'Paris' });
    assert.ok(
      days.every((day: any) => day.low < day.high) && days[0].low <= now.temperature && now.temperature <= days[0].high,
    );
    assert.equal((await call('get_forecast', { city: 'Paris' })).days.length, 3);
    assert.deepEqual(
      [await call('get_forecast', { city: 'Paris', days: 15 }), await call('get_weather', {})],
      ['invalid_input', 'invalid_input'],
    );
  });

  it('S3.weather: keeps its id, prompt and category', () => {
    assert.deepEqual(
      [weather.aliases, weather.category, weather.systemPrompt],
      [
        ['test_weather'],
        'Testing',
        'You have access to weather tools. Use get_weather for current conditions and get_forecast for multi-day forecasts.',
      ],
    );
  });
});
