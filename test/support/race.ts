/** How many races run beside each other: enough to meet, and few enough for two small pools. */
const LANES = 6;

/** Holds so many races, some of them at the same time. */
export async function race(times: number, one: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < times; i = next++) await one(i);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Begins the same thing so many times at once. */
export function atOnce<T>(times: number, begin: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_one, i) => begin(i)));
}
