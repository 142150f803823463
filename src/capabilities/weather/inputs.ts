import { strictObject } from '../../core/capability/declare';
import { choice, type InputOf, text, wholeNumber } from '../shared/parameters';

const city = text('City name', 100);
const unit = choice('Unit of temperatures', ['celsius', 'fahrenheit'], 'celsius');

export const weatherInput = strictObject({ city }, { unit });
export type WeatherInput = InputOf<typeof weatherInput>;

export const forecastInput = strictObject({ city }, { days: wholeNumber('How many days, from today', 1, 14, 3), unit });
export type ForecastInput = InputOf<typeof forecastInput>;
