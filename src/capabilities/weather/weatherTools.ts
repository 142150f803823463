import { shortHash } from '../../core/vocabulary/names';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { ForecastInput, WeatherInput } from './inputs';

const conditions = ['sunny', 'partly cloudy', 'cloudy', 'light rain', 'rain', 'thunderstorm', 'fog', 'snow'] as const;
const dayMs = 86_400_000;

/** Made-up numbers that stay the same for a city and a day, so that a conversation does not contradict itself. */
function made(
  city: string,
  date: string,
): { readonly celsius: number; readonly condition: string; readonly humidity: number } {
  const seed = Number.parseInt(shortHash(`${city.trim().toLowerCase()}|${date}`), 36);
  const celsius = (seed % 351) / 10 - 3;
  const cold = celsius < 2;
  const picked = conditions[Math.floor(seed / 351) % (cold ? conditions.length : conditions.length - 1)] ?? 'sunny';
  return { celsius, condition: picked, humidity: 30 + (Math.floor(seed / 7) % 66) };
}

function inUnit(celsius: number, unit: WeatherInput['unit']): number {
  return Math.round((unit === 'celsius' ? celsius : (celsius * 9) / 5 + 32) * 10) / 10;
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const getWeather: ToolHandler<WeatherInput> = {
  accesses: noAccesses,
  async run({ city, unit }, context) {
    const { celsius, condition, humidity } = made(city, dateOf(context.ports.clock.now()));
    return { payload: { city, temperature: inUnit(celsius, unit), unit, condition, humidity, mock: true } };
  },
};

export const getForecast: ToolHandler<ForecastInput> = {
  accesses: noAccesses,
  async run({ city, days, unit }, context) {
    const today = context.ports.clock.now();
    const list = Array.from({ length: days }, (_, index) => {
      const date = dateOf(today + index * dayMs);
      const { celsius, condition, humidity } = made(city, date);
      return { date, low: inUnit(celsius - 4, unit), high: inUnit(celsius + 4, unit), condition, humidity };
    });
    return { payload: { city, unit, days: list, mock: true } };
  },
};
