import type { Limits } from '@agentflow/core';
import {
  checkJsonRequest,
  checkProtobufRequest,
  decodeJsonLogs,
  decodeJsonTraces,
  decodeProtobufLogs,
  decodeProtobufTraces,
  type DecodingLimits,
  type Refusal,
  type Unread,
} from '@agentflow/dialects';
import { DomainError } from '@agentflow/domain';
import { Controller, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RawBody } from '../http/raw-body.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { LIMITS } from '../installation.js';
import {
  OTLP_MEDIA_TYPES,
  exportResponse,
  otlpEncodingOf,
  type OtlpEncoding,
  type PartialSuccess,
  type Signal,
} from './otlp-answers.js';
import { PostReports } from './post-reports.decorator.js';
import { bytesIn, decodingLimitsOf, readable, textIn } from './received-body.js';
import { OTLP } from './report-dialects.js';
import { ReportDoors } from './report-doors.js';

/**
 * OTLP over HTTP. Some clients append `v1/traces` to the address that they are given, and some take it as it is; Langfuse's
 * SDKs report in OTLP, too.
 */
@ApiExcludeController()
@Controller()
export class OtlpController {
  constructor(
    private readonly doors: ReportDoors,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  @PostReports('v1/traces', 'rpc-status')
  traces(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('otel/v1/traces', 'rpc-status')
  tracesUnderOtel(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('otel', 'rpc-status')
  tracesAsGiven(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('langfuse/api/public/otel/v1/traces', 'rpc-status')
  tracesOfLangfuse(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('v1/logs', 'rpc-status')
  logs(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeLogs(caller, body, reply);
  }

  @PostReports('otel/v1/logs', 'rpc-status')
  logsUnderOtel(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeLogs(caller, body, reply);
  }

  @PostReports('v1/metrics', 'rpc-status')
  metrics(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.ignoreMetrics(caller, body, reply);
  }

  @PostReports('otel/v1/metrics', 'rpc-status')
  metricsUnderOtel(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.ignoreMetrics(caller, body, reply);
  }

  private async takeTraces(
    caller: Caller,
    body: ReceivedBody | undefined,
    reply: FastifyReply,
  ): Promise<void> {
    const encoding = encodingOf(body);
    const taken = await this.doors.admit(caller, OTLP, async () => {
      const { spans, rejected } = await this.read(encoding, body, TRACES);
      return { records: spans.map((span) => ({ span })), rejected };
    });
    send(reply, encoding, 'traces', partialSuccess(taken.rejected, taken.notKept, taken.dropped));
  }

  /** What was logged within spans about models and evaluations; other logs are not for us. */
  private async takeLogs(caller: Caller, body: ReceivedBody | undefined, reply: FastifyReply): Promise<void> {
    const encoding = encodingOf(body);
    const taken = await this.doors.admit(caller, OTLP, async () => {
      const { records, rejected } = await this.read(encoding, body, LOGS);
      const told = records.filter(({ eventName }) => eventName.startsWith('gen_ai.'));
      return {
        records: told.map((log) => ({ log })),
        others: records.length - told.length + rejected.length,
      };
    });
    const dropped = taken.others + taken.dropped;
    send(reply, encoding, 'logs', partialSuccess([], taken.notKept, dropped, 'log record'));
  }

  /** Nothing of them is kept; who sends what cannot be read hears of it all the same. */
  private async ignoreMetrics(
    caller: Caller,
    body: ReceivedBody | undefined,
    reply: FastifyReply,
  ): Promise<void> {
    const encoding = encodingOf(body);
    await this.doors.admit(caller, OTLP, async () => {
      await this.read(encoding, body, METRICS);
      return { records: [] };
    });
    const message = 'Metrics are not stored: what they count is counted from the spans.';
    send(reply, encoding, 'metrics', { rejected: 0, message });
  }

  /** A body without a byte is a request that says nothing. */
  private async read<Reading extends { ok: true }>(
    encoding: OtlpEncoding,
    body: ReceivedBody | undefined,
    decode: Decoders<Reading>,
  ): Promise<Reading> {
    const limits = decodingLimitsOf(this.limits);
    if (encoding === 'protobuf') return readable(decode.protobuf(await bytesIn(body, this.limits), limits));
    return readable(decode.json((await textIn(body, this.limits)) || '{}', limits));
  }
}

/** A request without a body says nothing wrong, in whatever encoding it would have been. */
export function encodingOf(body: ReceivedBody | undefined): OtlpEncoding {
  const encoding = body ? otlpEncodingOf(body.mediaType) : 'json';
  if (encoding) return encoding;
  throw new DomainError('unsupported_media_type', {
    detail: 'Send Content-Type: application/x-protobuf or application/json.',
  });
}

/** How one signal is read, in either encoding. */
interface Decoders<Reading> {
  json(text: string, limits: DecodingLimits): Reading | Unread;
  protobuf(bytes: Buffer, limits: DecodingLimits): Reading | Unread;
}

const TRACES = { json: decodeJsonTraces, protobuf: decodeProtobufTraces };
const LOGS = { json: decodeJsonLogs, protobuf: decodeProtobufLogs };
const METRICS = { json: checkJsonRequest, protobuf: checkProtobufRequest };

const MOST_TOLD = 5;

function partialSuccess(
  unreadable: readonly string[],
  refused: readonly Refusal[],
  dropped: number,
  what = 'span',
): PartialSuccess | undefined {
  const rejected = unreadable.length + refused.length;
  const told = [...unreadable, ...refused.map(({ id, detail }) => `${id}: ${detail}`)];
  const sentences = [
    ...(told.length === 0 ? [] : [told.slice(0, MOST_TOLD).join('; ')]),
    ...(told.length > MOST_TOLD ? [`${told.length - MOST_TOLD} more were not kept`] : []),
    ...(dropped === 0 ? [] : [`${dropped} ${what}(s) that say nothing of an agent were left out`]),
  ];
  return sentences.length === 0 ? undefined : { rejected, message: sentences.join('. ') };
}

export function send(
  reply: FastifyReply,
  encoding: OtlpEncoding,
  signal: Signal,
  partial: PartialSuccess | undefined,
): void {
  void reply
    .status(200)
    .type(OTLP_MEDIA_TYPES[encoding])
    .send(exportResponse(encoding, signal, partial));
}
