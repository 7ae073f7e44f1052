/** Members of an answer, or a body, with what they are shown to be. */
export type Members = Readonly<Record<string, unknown>>;

/*
 * What the API page shows where a reader wants to see what it is like: one story, in every body and answer. A trip
 * planner of the project "travel" looks for flights to Lisbon.
 */

export const PROJECT = '01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10';
export const AGENT = '01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21';
export const RUN = '01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32';
export const STEP = '01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43';
export const TOOL_CALL = '01a22b4f-5cf2-7a61-b8d2-27f3c1a95e54';
export const KEY = '01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65';
export const APPROVAL = '01a22b4f-91a6-7d05-8c16-6bd7051fb9ba';
export const HASH = '0f6b7bd4a5a52b9d2b3c1c3a7b6a3c1ff0f9a3b6ad2d7a5be2f1c4d8e9a7b650';
export const AT = '2026-03-02T09:30:00.120000Z';
export const ENDED_AT = '2026-03-02T09:30:02.443000Z';
export const CONFIG = { model: 'gpt-4o-mini', temperature: 0.2 };
export const FLIGHT = { flight: 'TP 535', eur: 119 };
