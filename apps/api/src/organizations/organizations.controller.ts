import { OPERATOR_PERMISSION } from '@agentflow/contracts';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { Body } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import {
  CreateOrganizationDto,
  FoundedOrganizationResponse,
  OrganizationResponse,
} from './dto/organization.dto.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('organizations')
@Controller('v1')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Summary("Founds an organization, with its first admin key. Takes the operator's root key.")
  @PostOnce('organizations')
  @Allow(OPERATOR_PERMISSION)
  @Answers(201, FoundedOrganizationResponse, 'The new organization.')
  @Refuses('slug_taken')
  found(@CurrentCaller() caller: Caller, @Body() body: CreateOrganizationDto) {
    return this.organizations.found(caller, body);
  }

  @Summary('Shows the organization of the key.')
  @Get('organization')
  @Allow('organization:read')
  @Answers(200, OrganizationResponse, 'The organization.')
  own(@CurrentCaller() caller: Caller) {
    return this.organizations.own(caller);
  }
}
