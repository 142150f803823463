import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { builtin, number, object, objects, string } from '../../core/capability/declare';
import { forecastInput, weatherInput } from './inputs';

const shared = {
  ...harmless,
  kind: 'data',
  scopes: ['weather:read'],
  tags: ['weather', 'mock', 'test'],
} as const satisfies Partial<ToolDefinition>;

/** Made-up data for testing tool calls, and every answer says so. */
export const weather = builtin({
  id: 'weather',
  name: 'Weather (mock)',
  description: 'Mock weather data for testing tool calls.',
  summary: 'mock weather, for tests',
  icon: 'cloud',
  category: 'Testing',
  forDevelopers: true,
  aliases: ['test_weather'],
  systemPrompt:
    'You have access to weather tools. Use get_weather for current conditions and get_forecast for multi-day forecasts.',
  tools: [
    defineTool(
      {
        ...shared,
        name: 'get_weather',
        title: 'Get weather',
        modelDescription:
          'Get the current weather for a city. Use it to try tools out: the data is a mock for testing and is marked so; never present it as real. Returns temperature, condition and humidity.',
        userDescription: 'Get current weather for a city (mock data)',
        inputSchema: weatherInput,
        outputSchema: object({
          city: string,
          temperature: number,
          unit: string,
          condition: string,
          humidity: number,
          mock: { const: true },
        }),
        icon: 'cloud',
      },
      async () => (await import('./weatherTools')).getWeather,
    ),
    defineTool(
      {
        ...shared,
        name: 'get_forecast',
        title: 'Get forecast',
        modelDescription:
          'Get a forecast of several days for a city. Use it to try tools out: the data is a mock for testing and is marked so; never present it as real. Returns one entry a day with date, lowest and highest temperature and condition.',
        userDescription: 'Get multi-day forecast (mock data)',
        inputSchema: forecastInput,
        outputSchema: object({ city: string, unit: string, days: objects, mock: { const: true } }),
        icon: 'calendar',
      },
      async () => (await import('./weatherTools')).getForecast,
    ),
  ],
});
