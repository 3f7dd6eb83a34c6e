/** A time in ms since 1970. */
interface At {
  readonly time: number;
}
/** A recommended number of replicas. */
export interface Recommendation extends At {
  readonly replicas: number;
}
/** A change of the number of replicas. */
export interface ScaleEvent extends At {
  /** Positive when scaling up. */
  readonly change: number;
}

/** The recommendations and changes of an autoscaler. */
export interface History {
  readonly recommendations: readonly Recommendation[];
  readonly events: readonly ScaleEvent[];
}

/** The longest window that the API allows, in ms. */
const HOUR = 3_600_000;

/** The history without entries older than any window. */
export function recent(history: History, now: number): History {
  const isRecent = ({ time }: At): boolean => time > now - HOUR;
  return { recommendations: history.recommendations.filter(isRecent), events: history.events.filter(isRecent) };
}

/** The history of an autoscaler that is first seen now. */
export const startWith = (replicas: number, now: number): History => ({
  recommendations: [{ replicas, time: now }],
  events: [],
});

/** The history with one more recommendation. */
export const recommended = (history: History, replicas: number, time: number): History => ({
  ...history,
  recommendations: [...history.recommendations, { replicas, time }],
});

/** The history with one more change. */
export const scaled = (history: History, change: number, time: number): History => ({
  ...history,
  events: [...history.events, { change, time }],
});
