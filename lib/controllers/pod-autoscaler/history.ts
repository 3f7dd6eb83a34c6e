/** What was recommended, and how far was scaled, at a time in milliseconds since 1970. */
interface At {
  readonly time: number;
}
export interface Recommendation extends At {
  readonly replicas: number;
}
export interface ScaleEvent extends At {
  /** Up where it is above zero. */
  readonly change: number;
}

export interface History {
  readonly recommendations: readonly Recommendation[];
  readonly events: readonly ScaleEvent[];
}

/** The longest window that the API allows, in milliseconds. */
const HOUR = 3_600_000;

/** Without what no window reaches any more. */
export function recent(history: History, now: number): History {
  const isRecent = ({ time }: At): boolean => time > now - HOUR;
  return { recommendations: history.recommendations.filter(isRecent), events: history.events.filter(isRecent) };
}

export const startWith = (replicas: number, now: number): History => ({
  recommendations: [{ replicas, time: now }],
  events: [],
});

export const recommended = (history: History, replicas: number, time: number): History => ({
  ...history,
  recommendations: [...history.recommendations, { replicas, time }],
});

export const scaled = (history: History, change: number, time: number): History => ({
  ...history,
  events: [...history.events, { change, time }],
});
