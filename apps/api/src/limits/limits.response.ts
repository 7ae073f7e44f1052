import type { Limits } from '@agentflow/core';
import { Integer } from '../http/field-kinds.js';

const COUNT = { min: 1, max: Number.MAX_SAFE_INTEGER };

export class LimitsResponse {
  @Integer({ ...COUNT, description: 'Bytes of a request.' })
  request_bytes: number;

  @Integer({ ...COUNT, description: 'Bytes of a batch, after decompression.' })
  batch_bytes: number;

  @Integer({ ...COUNT, description: 'Items of a batch.' })
  batch_items: number;

  @Integer({ ...COUNT, description: 'Bytes of one payload, such as an input or a state.' })
  payload_bytes: number;

  @Integer({ ...COUNT, description: 'Levels of arrays and objects in one payload.' })
  payload_depth: number;

  @Integer({ ...COUNT, description: 'Rows of a page.' })
  page_size: number;

  @Integer({ ...COUNT, description: 'Bytes of batches that one process has under way at once.' })
  in_flight_bytes: number;

  @Integer({ ...COUNT, min: 0, description: 'Items that one key may report in a second; 0: no quota.' })
  items_per_second_of_key: number;

  @Integer({
    ...COUNT,
    min: 0,
    description: 'Items that an organization may report in a second; 0: no quota.',
  })
  items_per_second_of_organization: number;

  static of(limits: Limits): LimitsResponse {
    return {
      request_bytes: limits.requestBytes,
      batch_bytes: limits.batchBytes,
      batch_items: limits.batchItems,
      payload_bytes: limits.payloadBytes,
      payload_depth: limits.payloadDepth,
      page_size: limits.pageSize,
      in_flight_bytes: limits.inFlightBytes,
      items_per_second_of_key: limits.itemsPerSecondOfKey,
      items_per_second_of_organization: limits.itemsPerSecondOfOrganization,
    };
  }
}
